package keras_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestFolders builds the last layer by the classes of data from folders. They are known if the
// program names them, and otherwise range from the fewest to the most that a folder may have.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		data, units  string
		fewest, most int64 // parameters; 0 if they are not known
		why          string
	}{
		{"keras.utils.image_dataset_from_directory('photos')", "len(data.class_names)", 10, 5000, ""},
		{"keras.utils.image_dataset_from_directory('photos', class_names=None)", "len(data.class_names)", 10, 5000, ""},
		{"keras.utils.image_dataset_from_directory('photos', label_mode='binary')", "len(data.class_names)", 10, 10, ""},
		{"keras.utils.image_dataset_from_directory('photos', class_names=['ant', 'bee', 'cow'])", "len(data.class_names)", 15, 15, ""},
		{"keras.utils.image_dataset_from_directory('photos').prefetch(1)", "len(data.class_names)", 0, 0, "AttributeError"},
		{"keras.utils.image_dataset_from_directory('photos')", "len(data.file_paths)", 0, 0, "those of a folder"},
		{"keras.utils.text_dataset_from_directory('letters', class_names=['ant', 'bee'])", "len(data.class_names)", 10, 10, ""},
		{"keras.utils.text_dataset_from_directory('letters')", "max(len(list(data.class_names)), 3)", 15, 5000, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos')", "data.num_classes", 10, 5000, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', class_mode='binary')", "data.num_classes", 10, 10, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos')", "len({i: name for name, i in data.class_indices.items()})", 10, 5000, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos')", "max(data.class_indices.values()) + 1", 10, 5000, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', classes=['ant', 'bee'])", "data.num_classes", 10, 10, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', classes=['ant', 'bee'])", "len(data.class_indices)", 10, 10, ""},
		{"keras.preprocessing.image.ImageDataGenerator().flow_from_directory('photos', batch_size=6)", "data.batch_size", 30, 30, ""},
		// What depends on the number of classes is not known.
		{"keras.utils.image_dataset_from_directory('photos')", "8 if len(data.class_names) == 2 else data.unheard_of", 0, 0, "that decides how it is made"},
	} {
		p := follow("from tensorflow import keras\ndata = " + c.data + "\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(" + c.units + ")])\n")
		m := p.Models[0]
		if why := value.Words(m.Unresolved); c.why == "" && why != "" || !strings.Contains(why, c.why) {
			t.Errorf("%s, %s: unknown because %q, want %q", c.data, c.units, why, c.why)
		}
		fewest, _ := m.Parameters()
		most := fewest
		if m.Wider != nil {
			most, _ = m.Wider.Parameters()
		}
		if c.why == "" && (fewest != c.fewest || most != c.most) {
			t.Errorf("%s, %s: %d to %d parameters, want %d to %d", c.data, c.units, fewest, most, c.fewest, c.most)
		}
	}
}
