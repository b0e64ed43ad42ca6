// The ClickHouse engine with the part of its HTTP interface that `@clickhouse/client` uses.
// node server.mjs DIRECTORY [PORT] prints the port. `POST /fault` with {"loseEvery": 3} executes every third insert
// and then closes the connection without a response.
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Session } from 'chdb'

const session = new Session(process.argv[2])
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'default_format',
  'enable_http_compression',
  'wait_end_of_query',
])
let fault = {}
let inserts = 0

const server = createServer((request, response) => void serve(request, response))
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => console.log(server.address().port))

async function serve(request, response) {
  const url = new URL(request.url, 'http://engine')
  if (url.pathname === '/ping') return response.end('Ok.\n')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const received = Buffer.concat(chunks)
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received
  if (url.pathname === '/fault') {
    fault = JSON.parse(body.toString())
    return response.end()
  }
  try {
    const { statement, parameters, format } = readStatement(url.searchParams, body.toString())
    const isInsert = /^\s*insert/i.test(statement)
    if (isInsert) inserts += 1
    const result = await inDatabase(url.searchParams.get('database'), () =>
      Object.keys(parameters).length > 0
        ? session.queryBindAsync(statement, parameters, { format })
        : session.queryAsync(statement, { format }),
    )
    if (isInsert && fault.loseEvery && inserts % fault.loseEvery === 0) return request.socket.destroy()
    response.end(result.bytes())
  } catch (error) {
    response.statusCode = 500
    response.setHeader('x-clickhouse-exception-code', String(error.clickhouseCode ?? 0))
    response.end(`Code: ${error.clickhouseCode}. DB::Exception: ${error.message} (ENGINE_ERROR)`)
  }
}

// The session has one current database, so statements of different databases take turns.
let current = 'default'
let turn = Promise.resolve()
function inDatabase(database, execute) {
  const run = async () => {
    if (database && database !== current) {
      await session.queryAsync(`use \`${database}\``)
      current = database
    }
    return execute()
  }
  const result = turn.then(run)
  turn = result.then(
    () => {},
    () => {},
  )
  return result
}

function readStatement(query, body) {
  const statement = query.get('query')
  const text = statement ? `${statement}\n${body}` : body
  const parameters = {}
  const settings = []
  for (const [name, value] of query) {
    if (name.startsWith('param_')) parameters[name.slice(6)] = value
    else if (!NOT_SETTINGS.has(name)) settings.push(`${name} = '${value.replaceAll("'", "\\'")}'`)
  }
  const isInsertOfLines = /^\s*insert[^]*?\sformat\s+JSONEachRow/i.test(text)
  const ending = isInsertOfLines ? undefined : /\bformat\s+(\w+)\s*;?\s*$/i.exec(text)
  const format = ending?.[1] ?? 'TabSeparated'
  const plain = ending ? text.slice(0, ending.index) : text
  return { statement: withSettings(plain, settings, isInsertOfLines), parameters, format }
}

function withSettings(text, settings, isInsertOfLines) {
  if (settings.length === 0) return text
  if (isInsertOfLines)
    return text.replace(/\sformat\s+JSONEachRow/i, ` settings ${settings.join(', ')} format JSONEachRow`)
  if (!/^\s*(select|with)/i.test(text)) return text
  return /\bsettings\b/i.test(text) ? text : `${text}\nsettings ${settings.join(', ')}`
}
