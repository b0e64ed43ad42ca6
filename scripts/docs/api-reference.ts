import { type Endpoint, ENDPOINTS, openApiDocument } from '@tidegate/contract'
import { fieldsOf, type Schema } from './schema-fields.ts'
import { code, table } from './table.ts'

export function apiReference(): string {
  const endpoints = ENDPOINTS.map(({ endpoint }) => endpoint).toSorted(byPath)
  const areas = [...new Set(endpoints.map(areaOf))]
  const sections = areas.map((area) => {
    const rows = endpoints.filter((endpoint) => areaOf(endpoint) === area).map(rowOf)
    return `## ${area}\n\n[Requests and responses](api/${area}.md)\n\n${table(['Endpoint', 'Access', 'What it does', 'Body', 'Specific errors'], rows)}`
  })
  return `# API

Endpoints of the control plane. Responses are wrapped as \`{ success, message, data }\` unless marked *bare*. An error has a
\`code\` from [errors](errors.md). Paths work with and without a trailing slash.
Access \`public\` needs no session. Access \`visitor\` uses a session if there is one. Other values name the lowest role.
With a session, also send the \`Tidegate-User\` header. A running server has the OpenAPI document at \`/api/openapi.json\`.

Made from \`packages/contract/src/api/index.ts\` by \`npm run docs:write\`.

${sections.join('\n\n')}
`
}

function byPath(a: Endpoint, b: Endpoint): number {
  return a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1
}

function rowOf(endpoint: Endpoint): string[] {
  return [
    code(`${endpoint.method} ${endpoint.path}`),
    endpoint.access,
    endpoint.summary + (endpoint.bare ? ' (*bare*)' : ''),
    bodyFields(endpoint.body).map(code).join(', '),
    endpoint.errors.map((name) => `[${name}](errors.md#${name})`).join(', '),
  ]
}

function bodyFields(schema: unknown): string[] {
  const shape = (schema as { shape?: Record<string, unknown> } | undefined)?.shape
  return Object.keys(shape ?? {})
}

const DOCUMENT = openApiDocument({ version: '' })
const SHAPES = DOCUMENT.components.schemas

/** A page for each area of the API, by its path: request, response and errors of every endpoint. */
export function apiPages(): Record<string, () => string> {
  const areas = Map.groupBy(
    ENDPOINTS.map(({ endpoint }) => endpoint),
    areaOf,
  )
  return Object.fromEntries([...areas].map(([area, requests]) => [pathOf(area), () => pageOf(area, requests)]))
}

/** `/api/channel/{id}` belongs to `channel`, `/api/openapi.json` to `openapi`. */
function areaOf({ path }: Endpoint): string {
  return (path.split('/')[2] ?? '').replace(/\..*$/, '')
}

function pathOf(area: string): string {
  return `docs/reference/api/${area}.md`
}

function pageOf(area: string, requests: readonly Endpoint[]): string {
  const sections = requests.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(sectionOf)
  return `# \`/api/${area}\`

Requests and responses of each endpoint. [The overview](../api.md) explains headers, errors and access.

Made from \`packages/contract/src/api/index.ts\` by \`npm run docs:write\`.

${sections.join('\n\n')}
`
}

function keyOf({ path, method }: Endpoint): string {
  return `${path} ${method}`
}

function sectionOf(endpoint: Endpoint): string {
  const operation = DOCUMENT.paths[endpoint.path]![endpoint.method.toLowerCase()]!
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required, schema }) => [
    code(name),
    place,
    code(fieldsOf(schema, SHAPES)[0]?.type ?? ''),
    required ? 'yes' : '',
  ])
  const body = operation.requestBody?.content['application/json'].schema
  return [
    `## ${code(`${endpoint.method} ${endpoint.path}`)}`,
    `${endpoint.summary} ${conditionsOf(endpoint)}`,
    ...(parameters.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Required'], parameters)]),
    ...(body === undefined ? [] : [fieldTable('Body', body, 'Required')]),
    responseOf(endpoint, operation.responses[200].content['application/json'].schema),
    ...(endpoint.errors.length === 0 ? [] : [`Specific errors: ${endpoint.errors.map(errorLink).join(', ')}.`]),
  ].join('\n\n')
}

function conditionsOf({ access, proof, critical, sameOriginOnly, settingsArea }: Endpoint): string {
  return [
    `Access: \`${access}\`.`,
    ...(settingsArea === undefined ? [] : [`Also for administrators with ${AREA_NAMES[settingsArea]}.`]),
    ...(proof === undefined ? [] : ['Needs re-authentication within the last ten minutes.']),
    ...(proof === 'orToken' ? ['Access tokens do not need it.'] : []),
    ...(critical ? ['Counts against the rate limit for credentials and mail.'] : []),
    ...(sameOriginOnly ? ['Browsers may send it only from the same origin.'] : []),
  ].join(' ')
}

const AREA_NAMES: Readonly<Record<NonNullable<Endpoint['settingsArea']>, string>> = {
  any: 'a granted settings area, for the options of that area',
  prices: 'the settings area `prices`',
  groups: 'the settings area `groups`',
  rate_limits: 'the settings area `rate_limits`',
  announcements: 'the settings area `announcements`',
}

/** The fields of `data`, or of the whole response of an endpoint without the envelope. */
function responseOf({ bare = false }: Endpoint, schema: Schema): string {
  const done = (schema.oneOf as Schema[] | undefined)?.[0] ?? schema
  if (bare) return fieldTable('Response, bare', done)
  const data = (done.properties as Record<string, Schema> | undefined)?.data
  return data === undefined ? 'The response has no `data`.' : fieldTable('`data` of the response', data)
}

function fieldTable(title: string, schema: Schema, required = 'Always present'): string {
  const fields = fieldsOf(schema, SHAPES)
  const [only] = fields
  if (only === undefined) return `${title}: an object without fixed fields.`
  if (fields.length === 1 && only.name === '') return `${title}: ${code(only.type)}.`
  return table(
    [title, 'Type', required],
    fields.map((field) => [code(field.name), code(field.type), field.required ? 'yes' : '']),
  )
}

function errorLink(name: string): string {
  return `[${name}](../errors.md#${name})`
}
