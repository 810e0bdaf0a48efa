package settings

import "maps"

// Schema returns the JSON schema of tfmem.toml, by which editors complete and check it. The table
// [tool.tfmem] of pyproject.toml has the same keys.
func Schema() map[string]any {
	properties := map[string]any{}
	for _, k := range Keys {
		properties[k.Name] = k.schema()
	}
	return map[string]any{
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                "The settings of tfmem",
		"type":                 "object",
		"properties":           properties,
		"additionalProperties": false,
	}
}

func (k *Key) schema() map[string]any {
	value := map[string]any{"type": "string"}
	if k.choices != nil {
		var words []string
		for _, c := range k.choices() {
			words = append(words, c.Text)
		}
		value["enum"] = words
		if !k.closed {
			value = map[string]any{"anyOf": []any{value, map[string]any{"type": "string"}}}
		}
	}
	if k.list {
		value = map[string]any{"type": "array", "items": value}
	}
	if k.deep { // a value, or a table of what is known of it; a dotted name is a table, too
		value = map[string]any{"type": []string{"number", "string", "boolean", "array", "object"}}
	}
	if k.table {
		value = map[string]any{"type": "object", "additionalProperties": value}
	}
	out := map[string]any{"description": k.Meaning + "\n\nDefault: " + k.Default}
	maps.Copy(out, value)
	return out
}
