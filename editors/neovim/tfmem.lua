-- tfmem for Neovim's own LSP client: ~/.config/nvim/lsp/tfmem.lua
---@type vim.lsp.Config
return {
  cmd = { 'tfmem', 'server' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'tfmem.toml', '.tfmem.toml', '.git' },
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
