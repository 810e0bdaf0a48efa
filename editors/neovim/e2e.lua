-- Drives tfmem through Neovim's own client as a person at the keys would, on
-- three copies of ../testdata/train.py, on large.py, photos.py and photos.ipynb, and on
-- plain.ipynb and saved.ipynb, which are copies of that, in the current folder. Prints "ok   …" for each check; the first that fails prints
-- "FAIL …" and ends the run with 1, as those after it build on it. test.sh runs this.

local patience = 60000 -- ms; the machine may be busy

local function wait_for(condition, what)
  local last
  local ok = vim.wait(patience, function()
    last = condition()
    return last
  end, 10)
  assert(ok, 'waited in vain for ' .. what)
  return last
end

local function check(name, body)
  local ok, err = xpcall(body, debug.traceback)
  if ok then
    io.stdout:write('ok   ' .. name .. '\n')
  else
    io.stdout:write('FAIL ' .. name .. '\n     ' .. err:gsub('\n', '\n     ') .. '\n')
    vim.cmd.cquit()
  end
end

local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

-- The number, from 1, of the first line that holds text.
local function line_of(text)
  for i, line in ipairs(lines()) do
    if line:find(text, 1, true) then return i end
  end
  error(('no line holds %q in:\n%s'):format(text, table.concat(lines(), '\n')))
end

local function finding(code)
  return vim.iter(vim.diagnostic.get(0)):find(function(d) return d.code == code end)
end

local function await_finding(code)
  return wait_for(function() return finding(code) end, code)
end

local function await_no_finding(code)
  wait_for(function() return not finding(code) end, 'the end of ' .. code)
end

local function marked_text(d)
  return table.concat(vim.api.nvim_buf_get_text(0, d.lnum, d.col, d.end_lnum, d.end_col, {}), '\n')
end

local function put_cursor_on(d) vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col }) end

-- Applies the one quick fix for code that suits, with no menu: as the `gra` key
-- does when there is no other.
local function quick_fix(code, suits)
  put_cursor_on(await_finding(code))
  vim.lsp.buf.code_action({
    apply = true,
    context = { only = { 'quickfix' } },
    filter = function(action)
      local mends = vim.iter(action.diagnostics or {}):any(function(d) return d.code == code end)
      -- A plan mends it as well; with two to choose from, Neovim would ask.
      return mends and not action.title:find('^Make it fit') and suits(action)
    end,
  })
end

local function is_preferred(action) return action.isPreferred end
local function is_called_unsafe(action) return not action.isPreferred and action.title:find('unsafe', 1, true) end

local function assert_growth_in_place()
  local growth = wait_for(function()
    local ok, line = pcall(line_of, 'set_memory_growth')
    return ok and line
  end, 'set_memory_growth')
  assert(growth > line_of('from tensorflow import keras'), 'growth is set above the imports')
  assert(growth < line_of('keras.Sequential'), 'growth is set below the model')
end

-- Runs the saved script against the stand-in for TensorFlow, which refuses what
-- the real one refuses.
local function assert_script_grows_both_gpus()
  local run = vim.system({ 'python3', vim.api.nvim_buf_get_name(0) }, { text = true }):wait()
  assert(run.code == 0, run.stderr)
  assert(run.stdout:find('growing: GPU:0 GPU:1\n', 1, true), run.stdout)
end

check('a client of this project attaches', function()
  vim.cmd.edit('train.py')
  local client = wait_for(function() return vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' })[1] end, 'tfmem')
  wait_for(function() return client.initialized end, 'its initialisation')
  assert(vim.uv.fs_realpath(client.config.root_dir) == vim.uv.cwd(), 'root: ' .. tostring(client.config.root_dir))
  assert(client.offset_encoding == vim.env.TFMEM_TEST_ENCODING, 'encoding: ' .. client.offset_encoding)
end)

check('TFM101 arrives, with its documentation', function()
  local d = await_finding('TFM101')
  assert(d.source == 'tfmem', d.source)
  assert(d.user_data.lsp.codeDescription.href:find('^file:///.*/TFM%d+%.html$'), 'no link')
  assert(marked_text(d) ~= '', 'it marks nothing')
end)

check('what stands behind an emoji is marked exactly', function()
  local d = await_finding('TFM301')
  assert(d.lnum + 1 == line_of('model.fit'), 'marked line: ' .. d.lnum + 1)
  assert(vim.startswith(marked_text(d), 'clothes') or vim.startswith(marked_text(d), 'model.fit'), marked_text(d))
end)

check('findings follow what is typed above them', function()
  local first = await_finding('TFM301')
  local marked = marked_text(first)
  local function await_on_line(lnum)
    local d = wait_for(function()
      local d = finding('TFM301')
      return d and d.lnum == lnum and d
    end, 'TFM301 on line ' .. lnum + 1)
    assert(marked_text(d) == marked, marked_text(d))
  end
  vim.api.nvim_buf_set_lines(0, 2, 2, false, { '# 👗🔥 é', '# 👩‍💻 𝕏' })
  vim.api.nvim_buf_set_text(0, 2, 6, 2, 10, { 'á' }) -- for the second emoji
  await_on_line(first.lnum + 2)
  vim.cmd.undo()
  await_on_line(first.lnum)
end)

-- What the hover at the cursor says.
local function hover()
  vim.lsp.buf.hover()
  local float = wait_for(function()
    return vim.iter(vim.api.nvim_list_wins()):find(function(win)
      return vim.api.nvim_win_get_config(win).relative ~= ''
    end)
  end, 'the hover')
  local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false), '\n')
  vim.api.nvim_win_close(float, true)
  return text
end

check('hover shows the rule', function()
  put_cursor_on(await_finding('TFM101'))
  local text = hover()
  assert(text:find('missing-memory-growth', 1, true) and text:find('set_memory_growth', 1, true), text)
end)

check('the quick fix for TFM101 sets growth between the imports and the model', function()
  quick_fix('TFM101', is_preferred)
  assert_growth_in_place()
  await_no_finding('TFM101')
end)

check('undo brings TFM101 back, redo ends it', function()
  vim.cmd.undo()
  await_finding('TFM101')
  vim.cmd.redo()
  await_no_finding('TFM101')
end)

check('the quick fix for TFM301 lands behind an emoji', function()
  quick_fix('TFM301', is_called_unsafe)
  await_no_finding('TFM301')
  local batched = vim.api.nvim_buf_get_lines(0, line_of('.batch(') - 1, line_of('.batch('), false)[1]
  assert(batched:find('labels%)%)%.batch%(%d+%)$') or batched:find('fit%(clothes%.batch%(%d+%),'), batched)
end)

check('the mended script sets growth on every GPU before it uses one', function()
  vim.cmd.write()
  assert_script_grows_both_gpus()
end)

check('fix all mends what is safe to mend, and nothing else', function()
  vim.cmd.edit('second.py')
  await_finding('TFM101')
  vim.lsp.buf.code_action({ apply = true, context = { only = { 'source.fixAll.tfmem' }, diagnostics = {} } })
  assert_growth_in_place()
  await_no_finding('TFM101')
  assert(finding('TFM301'), 'the unsafe fix was applied')
  vim.cmd.write()
  assert_script_grows_both_gpus()
end)

-- README.md's autocommand; what it calls came with 0.11.
if vim.fn.has('nvim-0.11') == 1 then
  check('saving mends what is safe to mend', function()
    vim.cmd.edit('third.py')
    await_finding('TFM101')
    vim.cmd.write()
    assert_growth_in_place()
    assert_script_grows_both_gpus()
  end)
end

check('a batch too large for the GPU is marked where it is written', function()
  vim.cmd.edit('large.py')
  local d = await_finding('TFM601')
  assert(d.lnum + 1 == line_of('BATCH_SIZE = ') and marked_text(d) == '512', marked_text(d))
  assert(d.message:find('of 8GiB (named by TFMEM_GPU)', 1, true), d.message)
end)

check('hover on fit says what the training needs', function()
  local row = line_of('model.fit')
  vim.api.nvim_win_set_cursor(0, { row, #'model.f' })
  local text = hover()
  assert(text:find('the largest batch that fits is', 1, true), text)
end)

check('its quick fix lowers the number', function()
  quick_fix('TFM601', is_called_unsafe)
  await_no_finding('TFM601')
  local batch = tonumber(lines()[line_of('BATCH_SIZE = ')]:match('^BATCH_SIZE = (%d+)$'))
  assert(batch and batch >= 8 and batch < 128 and batch % 8 == 0, 'batch: ' .. tostring(batch))
end)

-- README.md's calls, which came with 0.11.
if vim.fn.has('nvim-0.11') == 1 then
  check('the server says which GPU it weighs against', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' })[1]
    local answer = client:request_sync('tfmem/gpu', { textDocument = vim.lsp.util.make_text_document_params() }, patience)
    assert(answer.result.source == 'TFMEM_GPU' and answer.result.gpus[1].totalBytes == 2 ^ 33, vim.inspect(answer))
  end)

  check("the editor's settings count as soon as they change", function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' })[1]
    vim.cmd.undo()
    await_finding('TFM601')
    for _, ignored in ipairs({ { 'TFM601' }, {} }) do
      client.settings = { tfmem = { ignore = ignored } }
      client:notify('workspace/didChangeConfiguration', { settings = client.settings })
      if #ignored > 0 then await_no_finding('TFM601') else await_finding('TFM601') end
    end
  end)
end

-- The labels of the inlay hints in the line that holds text.
local function hints_on(text)
  local lnum = line_of(text) - 1
  local found = {}
  for _, item in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    if item.inlay_hint.position.line == lnum then table.insert(found, item.inlay_hint.label) end
  end
  return #found > 0 and table.concat(found, ' ')
end

local function lens()
  if vim.lsp.codelens.enable then
    local first = vim.lsp.codelens.get({ bufnr = 0 })[1]
    return first and first.lens
  end
  return vim.lsp.codelens.get(0)[1]
end

-- What a person may choose behind text.
local function completions_behind(text)
  local row = line_of(text)
  local _, stop = lines()[row]:find(text, 1, true)
  vim.api.nvim_win_set_cursor(0, { row, stop - 1 })
  local client = vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' })[1]
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  params.position.character = params.position.character + 1 -- in insert mode the cursor stands behind
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, patience)
  local result = answers[client.id].result or {}
  return vim.iter(result.items or result):map(function(item) return item.label end):totable()
end

-- Puts text behind the code in a line, which the text of a notebook's file has in a string.
local function append(row, text)
  local line = lines()[row]
  local code, rest = line, ''
  if vim.bo.filetype == 'json' then
    code, rest = line:match([[^(.-)(\n",)$]])
    if not code then code, rest = line:match('^(.*)(")$') end
  end
  vim.api.nvim_buf_set_lines(0, row - 1, row, false, { code .. text .. rest })
end

-- What helps to read, on photos.py and on the same in a notebook.
local function check_aids(where)
  check('hints stand behind a batch size and layers' .. where, function()
    await_finding('TFM601')
    local memory = wait_for(function() return hints_on('BATCH_SIZE = ') end, 'the memory')
    assert(memory:find('^≈ [%d.]+ GiB$'), memory)
    assert(hints_on('layers.Dense(7)'):find('7.* · 903 params$'), hints_on('layers.Dense(7)'))
  end)

  check('a lens over fit tells what the training needs' .. where, function()
    local l = wait_for(lens, 'the lens')
    assert(l.command.title:find('^≈ [%d.]+ GiB of [%d.]+ GiB on .*8GiB · does not fit, up to %d+ does$'), l.command.title)
    assert(l.range.start.line + 1 == line_of('model.fit'), 'line: ' .. l.range.start.line + 1)
  end)

  check('running the lens opens the page' .. where, function()
    local opened
    local open = vim.ui.open
    vim.ui.open = function(file) opened = file end
    vim.api.nvim_win_set_cursor(0, { line_of('model.fit'), 0 })
    vim.lsp.codelens.run()
    wait_for(function() return opened end, 'the page')
    vim.ui.open = open
    local html = table.concat(vim.fn.readfile(opened), '\n')
    assert(html:find('Memory over the batch size', 1, true), html)
  end)

  check('hovers have the numbers' .. where, function()
    vim.api.nvim_win_set_cursor(0, { line_of('model.fit'), #'model.f' })
    local text = hover()
    assert(text:find('the largest batch that fits is', 1, true), text)
    local row = line_of('layers.Dense(7)')
    vim.api.nvim_win_set_cursor(0, { row, (lines()[row]:find('Dense', 1, true)) })
    assert(hover():find('903', 1, true), 'the layer')
  end)

  check('what may stand in a comment of ours is completed' .. where, function()
    append(line_of('photos = '), '  # tfmem: ')
    local words
    wait_for(function()
      words = completions_behind('# tfmem: ')
      return words[1] == 'ignore[TFM101]'
    end, 'a completion')
    assert(vim.tbl_contains(words, 'ignore-file'), vim.inspect(words))
    vim.cmd.undo()
  end)

  check('the quick fix lowers the batch size' .. where, function()
    quick_fix('TFM601', is_called_unsafe)
    await_no_finding('TFM601')
    -- Neovim would say so itself, were it not busy with this script.
    vim.api.nvim_exec_autocmds('TextChanged', { buffer = 0 })
    wait_for(function() return (lens() or { command = { title = '' } }).command.title:find('· fits up to', 1, true) end, 'another lens')
  end)

  check('fix all sets growth below the imports' .. where, function()
    await_finding('TFM101')
    vim.lsp.buf.code_action({ apply = true, context = { only = { 'source.fixAll.tfmem' }, diagnostics = {} } })
    assert_growth_in_place()
    await_no_finding('TFM101')
  end)
end

vim.cmd.edit('photos.py')
check_aids('')

-- The cells of the notebook that the current file is, as nbformat has them.
local function cells_on_disk()
  local run = vim.system({ 'python3', '-c', [=[
import json, sys
notebook = json.load(open(sys.argv[1], encoding="utf-8"))
assert notebook["nbformat"] == 4, notebook
for cell in notebook["cells"]:
    *lines, last = cell["source"]
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines) and "\n" not in last, cell
print(json.dumps(["".join(cell["source"]) for cell in notebook["cells"]]))
]=], vim.api.nvim_buf_get_name(0) }, { text = true }):wait()
  assert(run.code == 0, run.stderr)
  return vim.json.decode(run.stdout)
end

check('no other JSON is looked at', function()
  vim.fn.writefile({ '{"cells": []}' }, 'other.json')
  vim.cmd.edit('other.json')
  assert(vim.bo.filetype == 'json' and #vim.lsp.get_clients({ bufnr = 0 }) == 0, 'tfmem attaches')
end)

vim.cmd.edit('plain.ipynb')

check('a notebook is JSON here, and a client attaches', function()
  assert(vim.bo.filetype == 'json', vim.bo.filetype)
  wait_for(function() return vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' })[1] end, 'tfmem')
end)

check('what is found stands in the strings', function()
  local d = await_finding('TFM601')
  assert(lines()[d.lnum + 1] == [[    "BATCH_SIZE = 768\n",]] and marked_text(d) == '768', marked_text(d))
  d = await_finding('TFM101')
  assert(d.lnum + 1 == line_of('photos = ') and vim.startswith(marked_text(d), 'keras.'), marked_text(d))
end)

-- Asks for a hover where there is none.
local function assert_no_hover(row, column)
  vim.api.nvim_win_set_cursor(0, { row, column })
  local client = vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' })[1]
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, patience)[client.id]
  assert(answer and not answer.result and not answer.err, vim.inspect(answer))
end

check('nothing is said beside the code', function()
  assert_no_hover(line_of('"execution_count"'), 5)
end)

check('findings outlast JSON that is broken for a while', function()
  local row = line_of('BATCH_SIZE = ')
  vim.api.nvim_buf_set_lines(0, row, row, false, { [[    "EPOCHS = ]] })
  assert_no_hover(row, 6)
  assert(finding('TFM601'), 'TFM601 is gone')
  vim.api.nvim_buf_set_lines(0, row, row + 1, false, { [[    "EPOCHS = \"\u1f33\"\n",]] })
  vim.api.nvim_buf_set_lines(0, row - 1, row - 1, false, { [[    "# 🌷\n",]] })
  wait_for(function()
    local d = finding('TFM601')
    return d and d.lnum + 1 == row + 1 and marked_text(d) == '768'
  end, 'TFM601, a line below')
  vim.cmd.edit({ bang = true })
end)

check_aids(", in the text of a notebook's file")

check('the notebook that is saved is one, with the fixes in its cells', function()
  vim.cmd.write()
  local cells = cells_on_disk()
  assert(#cells == 5 and cells[1] == '# 🌷 Seven kinds of flowers', vim.inspect(cells))
  local import, growth = cells[2]:find('from tensorflow import keras\n', 1, true), cells[2]:find('set_memory_growth', 1, true)
  assert(import and growth and import < growth and vim.startswith(cells[2], '%load_ext tensorboard\n'), cells[2])
  local batch = tonumber(cells[3]:match('\nBATCH_SIZE = (%d+)\n'))
  assert(batch and batch < 768, cells[3])
  assert(cells[5] == '%%time\nmodel.fit(photos, epochs=5)', cells[5])
end)

if vim.fn.has('nvim-0.11') == 1 then
  check('saving mends what is safe to mend in a notebook', function()
    vim.cmd.edit('saved.ipynb')
    await_finding('TFM101')
    vim.cmd.write()
    assert(cells_on_disk()[2]:find('set_memory_growth', 1, true), 'growth is not set')
  end)
end

-- Stands in for a plugin that shows a notebook's cells as Python, as jupytext does.
vim.api.nvim_create_autocmd('BufReadCmd', {
  pattern = '*.ipynb',
  callback = function(event)
    local text = {}
    for _, cell in ipairs(vim.json.decode(table.concat(vim.fn.readfile(event.match), '\n')).cells) do
      local is_code = cell.cell_type == 'code'
      table.insert(text, is_code and '# %%' or '# %% [markdown]')
      for _, line in ipairs(vim.split(table.concat(cell.source), '\n')) do
        local is_python = is_code and not line:find('^[%%!]')
        table.insert(text, is_python and line or '# ' .. line)
      end
      table.insert(text, '')
    end
    vim.api.nvim_buf_set_lines(event.buf, 0, -1, false, text)
    vim.bo[event.buf].modified = false
    vim.bo[event.buf].filetype = 'python'
  end,
})
vim.cmd.edit('photos.ipynb')
check_aids(', in a notebook whose cells are shown as Python')

if vim.fn.has('nvim-0.11') == 1 then
  check('mistakes in tfmem.toml are marked, and its keys completed and explained', function()
    vim.fn.writefile({ 'selct = ["TFM1"]', 'ignore = []' }, 'tfmem.toml')
    vim.cmd.edit('tfmem.toml')
    wait_for(function()
      return vim.iter(vim.diagnostic.get(0)):any(function(d) return d.source == 'tfmem' and d.message:find('selct', 1, true) end)
    end, 'the mistake')
    vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'gp' })
    assert(vim.tbl_contains(completions_behind('gp'), 'gpu'), 'gpu is not completed')
    vim.api.nvim_win_set_cursor(0, { 2, 1 })
    assert(hover():find('Rules that do not run', 1, true), 'ignore is not explained')
    vim.fn.delete('tfmem.toml')
    vim.cmd.bwipeout({ bang = true })
  end)
end

check('a module that is edited is looked at where it is imported, and found once', function()
  vim.fn.writefile({ 'import tensorflow as tf', 'import helper', '', 'tf.config.set_visible_devices([], "GPU")' }, 'importer.py')
  vim.fn.writefile({ 'import tensorflow as tf' }, 'helper.py')
  vim.cmd.edit('importer.py')
  local importer = vim.api.nvim_get_current_buf()
  vim.cmd.split('helper.py')
  wait_for(function() return #vim.lsp.get_clients({ bufnr = 0, name = 'tfmem' }) == 1 end, 'a client of the module')
  vim.api.nvim_buf_set_lines(0, 1, 1, false, { 'weights = tf.Variable(1.0)' })
  local found = wait_for(function()
    local ds = vim.iter(vim.diagnostic.get(importer)):filter(function(d) return d.code == 'TFM102' end):totable()
    return #ds > 0 and ds
  end, 'TFM102')
  assert(#found == 1, 'it is shown ' .. #found .. ' times')
end)

check('the server ends when its client asks it to', function()
  local client = vim.lsp.get_clients({ name = 'tfmem' })[1]
  vim.lsp.stop_client(client.id)
  wait_for(function() return #vim.lsp.get_clients({ name = 'tfmem' }) == 0 end, 'its end')
end)

vim.cmd.qall({ bang = true })
