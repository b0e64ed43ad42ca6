import { type Endpoint, ENDPOINTS, openApiDocument } from '@tidegate/contract'
import { CHINESE, ENGLISH, type ApiTexts } from './api-texts.ts'
import { fieldsOf, type Schema } from './schema-fields.ts'
import { code, table } from './table.ts'

const DOCUMENT = openApiDocument({ version: '' })
const SHAPES = DOCUMENT.components.schemas

/** The overview of the management API and a page for each of its areas, in both languages, by path. */
export function apiPages(): Record<string, () => string> {
  return { ...pagesIn(ENGLISH), ...pagesIn(CHINESE) }
}

function pagesIn(texts: ApiTexts): Record<string, () => string> {
  const areas = Map.groupBy(
    ENDPOINTS.map(({ endpoint }) => endpoint),
    areaOf,
  )
  const pages = [...areas].map(([area, endpoints]) => [
    `${texts.folder}/api/${area}.md`,
    () => areaPage(area, endpoints, texts),
  ])
  return { [`${texts.folder}/api.md`]: () => overviewPage(areas, texts), ...Object.fromEntries(pages) }
}

/** `/api/channel/{id}` belongs to `channel`, `/api/openapi.json` to `openapi`. */
function areaOf({ path }: Endpoint): string {
  return (path.split('/')[2] ?? '').replace(/\..*$/, '')
}

function overviewPage(areas: ReadonlyMap<string, readonly Endpoint[]>, texts: ApiTexts): string {
  const sections = [...areas].toSorted(byName).map(([area, endpoints]) => {
    const rows = endpoints
      .toSorted(byPath)
      .map((endpoint) => [
        code(`${endpoint.method} ${endpoint.path}`),
        endpoint.access,
        texts.summaryOf(endpoint) + (endpoint.bare ? ` (*${texts.bare}*)` : ''),
        bodyFields(endpoint.body).map(code).join(', '),
        endpoint.errors.map((name) => `[${name}](errors.md#${name})`).join(', '),
      ])
    return `## ${area}\n\n[${texts.requestsAndResponses}](api/${area}.md)\n\n${table(texts.overviewColumns, rows)}`
  })
  return `${texts.overview}\n\n${sections.join('\n\n')}\n`
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

function byPath(a: Endpoint, b: Endpoint): number {
  return a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1
}

function bodyFields(schema: unknown): string[] {
  const shape = (schema as { shape?: Record<string, unknown> } | undefined)?.shape
  return Object.keys(shape ?? {})
}

function areaPage(area: string, endpoints: readonly Endpoint[], texts: ApiTexts): string {
  const sections = endpoints.toSorted(byPath).map((endpoint) => sectionOf(endpoint, texts))
  return `# \`/api/${area}\`\n\n${texts.areaIntroduction}\n\n${sections.join('\n\n')}\n`
}

function sectionOf(endpoint: Endpoint, texts: ApiTexts): string {
  const operation = DOCUMENT.paths[endpoint.path]![endpoint.method.toLowerCase()]!
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required, schema }) => [
    code(name),
    place,
    code(fieldsOf(schema, SHAPES)[0]?.type ?? ''),
    required ? texts.yes : '',
  ])
  const body = operation.requestBody?.content['application/json'].schema
  return [
    `## ${code(`${endpoint.method} ${endpoint.path}`)}`,
    [texts.summaryOf(endpoint), ...texts.conditionsOf(endpoint)].join(texts.space),
    ...(parameters.length === 0 ? [] : [table(texts.parameterColumns, parameters)]),
    ...(body === undefined ? [] : [fieldTable(texts.body, body, texts.required, texts)]),
    responseOf(endpoint, operation.responses[200].content['application/json'].schema, texts),
    ...(endpoint.errors.length === 0 ? [] : [`${texts.specificErrors}${endpoint.errors.map(errorLink).join(', ')}`]),
  ].join('\n\n')
}

/** The fields of `data`, or of the whole response of an endpoint without the envelope. */
function responseOf({ bare = false }: Endpoint, schema: Schema, texts: ApiTexts): string {
  const done = (schema.oneOf as Schema[] | undefined)?.[0] ?? schema
  if (bare) return fieldTable(texts.bareResponse, done, texts.alwaysPresent, texts)
  const data = (done.properties as Record<string, Schema> | undefined)?.data
  return data === undefined ? texts.noData : fieldTable(texts.data, data, texts.alwaysPresent, texts)
}

function fieldTable(title: string, schema: Schema, required: string, texts: ApiTexts): string {
  const fields = fieldsOf(schema, SHAPES)
  const [only] = fields
  if (only === undefined) return `${title}${texts.noFixedFields}`
  if (fields.length === 1 && only.name === '') return `${title}${texts.colon}${code(only.type)}`
  return table(
    [title, texts.type, required],
    fields.map((field) => [code(field.name), code(field.type), field.required ? texts.yes : '']),
  )
}

function errorLink(name: string): string {
  return `[${name}](../errors.md#${name})`
}
