-- tfmem for Neovim's own LSP client: ~/.config/nvim/lsp/tfmem.lua
local root_markers = { 'pyproject.toml', 'tfmem.toml', '.tfmem.toml', '.git' }

---@type vim.lsp.Config
return {
  cmd = { 'tfmem', 'server' },
  filetypes = { 'python', 'json' },
  root_markers = root_markers,
  -- Of JSON the server reads notebooks, which Neovim shows as their file's text.
  root_dir = function(buffer, start)
    local is_json = vim.bo[buffer].filetype == 'json'
    if is_json and not vim.api.nvim_buf_get_name(buffer):find('%.ipynb$') then return end
    start(vim.fs.root(buffer, root_markers))
  end,
  init_options = { tfmemCommands = { 'tfmem.showEstimate' } },
  commands = {
    -- What a code lens runs: shows the page about a model in the browser.
    ['tfmem.showEstimate'] = function(command, context)
      local client = assert(vim.lsp.get_client_by_id(context.client_id))
      local params = { command = command.command, arguments = command.arguments }
      local function show(err, html)
        if err then return vim.notify('tfmem: ' .. err.message, vim.log.levels.WARN) end
        local file = vim.fn.tempname() .. '.html'
        vim.fn.writefile(vim.split(html, '\n'), file)
        vim.ui.open(file)
      end
      if vim.fn.has('nvim-0.11') == 1 then
        client:request('workspace/executeCommand', params, show, context.bufnr)
      else
        client.request('workspace/executeCommand', params, show, context.bufnr)
      end
    end,
  },
}
