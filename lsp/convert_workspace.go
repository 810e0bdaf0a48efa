package lsp

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A surroundings is what a client can report about the workspace around its documents.
type surroundings struct {
	folders    bool // those that the user opens and closes
	configures bool // it answers requests for settings
	registers  bool // it reports changes of settings, if asked to
	created    bool // files that the user creates in it
	renamed    bool
	deleted    bool
	status     bool // it wants to know which GPUs were found
	shows      bool // it shows the page that [showEstimate] returns
	chooses    bool // it runs [chooseGPU]
	goes       bool // it runs [showCause]
}

func surroundingsOf(params *protocol.InitializeParams) (o surroundings) {
	set := func(b *bool) bool { return b != nil && *b }
	if w := params.Capabilities.Workspace; w != nil {
		o.folders, o.configures = set(w.WorkspaceFolders), set(w.Configuration)
		o.registers = w.DidChangeConfiguration != nil && set(w.DidChangeConfiguration.DynamicRegistration)
		if f := w.FileOperations; f != nil {
			o.created, o.renamed, o.deleted = set(f.DidCreate), set(f.DidRename), set(f.DidDelete)
		}
	}
	for _, raw := range [][]byte{params.InitializationOptions, params.Capabilities.Experimental} {
		var asked struct {
			Status   bool     `json:"tfmemStatus"`
			Commands []string `json:"tfmemCommands"`
		}
		if json.Unmarshal(raw, &asked) == nil {
			o.status = o.status || asked.Status
			o.shows = o.shows || slices.Contains(asked.Commands, showEstimate)
			o.chooses = o.chooses || slices.Contains(asked.Commands, chooseGPU)
			o.goes = o.goes || slices.Contains(asked.Commands, showCause)
		}
	}
	return o
}

// announce declares the notifications that the server wants.
func (o surroundings) announce(c *protocol.ServerCapabilities) {
	var w protocol.WorkspaceOptions
	if o.folders {
		w.WorkspaceFolders = &protocol.WorkspaceFoldersServerCapabilities{Supported: new(true), ChangeNotifications: protocol.Boolean(true)}
	}
	if o.created || o.renamed || o.deleted {
		w.FileOperations = &protocol.FileOperationOptions{}
		for wanted, to := range map[*bool]*protocol.FileOperationRegistrationOptions{
			&o.created: &w.FileOperations.DidCreate, &o.renamed: &w.FileOperations.DidRename, &o.deleted: &w.FileOperations.DidDelete,
		} {
			if *wanted {
				to.Filters = []protocol.FileOperationFilter{
					{Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: "**/*.{py,ipynb,toml}", Matches: protocol.FileOperationPatternKindFile}},
					{Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: "**", Matches: protocol.FileOperationPatternKindFolder}},
				}
			}
		}
	}
	if w != (protocol.WorkspaceOptions{}) {
		c.Workspace = &w
	}
}

// configurationOf asks for the settings outside of all folders, and then in each.
func configurationOf(folders []folder) *protocol.ConfigurationParams {
	params := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new(settingsSection)}}}
	for _, f := range folders {
		params.Items = append(params.Items, protocol.ConfigurationItem{ScopeURI: new(f.uri), Section: new(settingsSection)})
	}
	return params
}

// registrations asks a client to report changes of files and of settings, as far as it supports
// that.
func registrations(c client, patterns []string) *protocol.RegistrationParams {
	params := &protocol.RegistrationParams{}
	register := func(id, method string, options any) {
		params.Registrations = append(params.Registrations, registration(id, method, options))
	}
	if c.watches {
		options := &protocol.DidChangeWatchedFilesRegistrationOptions{}
		for _, p := range patterns {
			options.Watchers = append(options.Watchers, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern(p)})
		}
		register("tfmem.files", protocol.MethodWorkspaceDidChangeWatchedFiles, options)
	}
	if c.around.registers {
		options := &protocol.DidChangeConfigurationRegistrationOptions{Section: protocol.String(settingsSection)}
		register("tfmem.settings", protocol.MethodWorkspaceDidChangeConfiguration, options)
	}
	return params
}

func registration(id, method string, options any) protocol.Registration {
	raw, err := protocol.Marshal(options)
	if err != nil {
		panic(err) // strings can be marshalled
	}
	return protocol.Registration{ID: id, Method: method, RegisterOptions: raw}
}

// literally escapes what a glob pattern gives a meaning.
var literally = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", "{", "[{]")

// folderRegistration asks a client to report a folder, and what is in it, if they appear or
// disappear.
func folderRegistration(c client, folder string) *protocol.RegistrationParams {
	options := &protocol.DidChangeWatchedFilesRegistrationOptions{}
	for _, below := range []string{"", "/**"} {
		w := protocol.FileSystemWatcher{Kind: protocol.WatchKindCreate | protocol.WatchKindDelete}
		if c.watchesBelow {
			w.GlobPattern = &protocol.RelativePattern{BaseURI: protocol.URI(uri.File(filepath.Dir(folder))), Pattern: protocol.Pattern(literally.Replace(filepath.Base(folder)) + below)}
		} else {
			w.GlobPattern = protocol.Pattern(literally.Replace(filepath.ToSlash(folder)) + below)
		}
		options.Watchers = append(options.Watchers, w)
	}
	return &protocol.RegistrationParams{Registrations: []protocol.Registration{
		registration("tfmem.folder:"+folder, protocol.MethodWorkspaceDidChangeWatchedFiles, options),
	}}
}
