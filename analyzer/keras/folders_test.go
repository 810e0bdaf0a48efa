package keras_test

import (
	"strings"
	"testing"
)

// TestFolders builds the last layer by the classes of what is read from folders: known where
// the program names them, and no error where it does not.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		data, units string
		parameters  int64
		why         string
	}{
		{"keras.utils.image_dataset_from_directory('photos')", "len(data.class_names)", 0, "those of a folder"},
		{"keras.utils.image_dataset_from_directory('photos', class_names=None)", "len(data.class_names)", 0, "those of a folder"},
		{"keras.utils.image_dataset_from_directory('photos', class_names=['ant', 'bee'])", "len(data.class_names)", 10, ""},
		{"keras.utils.image_dataset_from_directory('photos').prefetch(1)", "len(data.class_names)", 0, "AttributeError"},
		{"keras.utils.text_dataset_from_directory('letters', class_names=['ant', 'bee'])", "len(data.class_names)", 10, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos')", "data.num_classes", 0, "those of a folder"},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', classes=['ant', 'bee'])", "data.num_classes", 10, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', classes=['ant', 'bee'])", "len(data.class_indices)", 10, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', batch_size=6)", "data.batch_size", 30, ""},
	} {
		p := follow("from tensorflow import keras\ndata = " + c.data + "\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(" + c.units + ")])\n")
		m := p.Models[0]
		if why := strings.Join(m.Unresolved, "; "); c.why == "" && why != "" || !strings.Contains(why, c.why) {
			t.Errorf("%s, %s: unknown because %q, want %q", c.data, c.units, why, c.why)
		}
		if all, _ := m.Parameters(); c.why == "" && all != c.parameters {
			t.Errorf("%s, %s: %d parameters, want %d", c.data, c.units, all, c.parameters)
		}
	}
}
