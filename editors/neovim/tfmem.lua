-- tfmem for Neovim's own LSP client: ~/.config/nvim/lsp/tfmem.lua
---@type vim.lsp.Config
return {
  cmd = { 'tfmem', 'server' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'tfmem.toml', '.tfmem.toml', '.git' },
}
