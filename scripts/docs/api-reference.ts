import { type Endpoint, ENDPOINTS, openApiDocument, type OpenApiDocument } from '@tidegate/contract'
import { CHINESE, ENGLISH, type ApiTexts } from './api-texts.ts'
import { fieldsOf, type Schema } from './schema-fields.ts'
import { code, table } from './table.ts'

/** The overview of the management API and a page for each of its areas, in both languages, by path. */
export function apiPages(): Record<string, () => string> {
  return { ...pagesIn(ENGLISH), ...pagesIn(CHINESE) }
}

function pagesIn(texts: ApiTexts): Record<string, () => string> {
  const document = openApiDocument({ version: '', descriptions: texts.fieldDescriptions })
  const areas = Map.groupBy(
    ENDPOINTS.map(({ endpoint }) => endpoint),
    areaOf,
  )
  const pages = [...areas].map(([area, endpoints]) => [
    `${texts.folder}/api/${area}.md`,
    () => areaPage(area, endpoints, { document, texts }),
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

/** The document with descriptions in one language, and the other texts in that language. */
interface Reference {
  readonly document: OpenApiDocument
  readonly texts: ApiTexts
}

function areaPage(area: string, endpoints: readonly Endpoint[], reference: Reference): string {
  const sections = endpoints.toSorted(byPath).map((endpoint) => sectionOf(endpoint, reference))
  return `# \`/api/${area}\`\n\n${reference.texts.areaIntroduction}\n\n${sections.join('\n\n')}\n`
}

function sectionOf(endpoint: Endpoint, reference: Reference): string {
  const { document, texts } = reference
  const operation = document.paths[endpoint.path]![endpoint.method.toLowerCase()]!
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required, schema, description = '' }) => [
    code(name),
    place,
    code(fieldsOf(schema, document.components.schemas)[0]?.type ?? ''),
    required ? texts.yes : '',
    description,
  ])
  const body = operation.requestBody?.content['application/json'].schema
  return [
    `## ${code(`${endpoint.method} ${endpoint.path}`)}`,
    [texts.summaryOf(endpoint), ...texts.conditionsOf(endpoint)].join(texts.space),
    ...(parameters.length === 0 ? [] : [table(texts.parameterColumns, parameters)]),
    ...(body === undefined ? [] : [fieldTable(texts.body, body, texts.required, reference)]),
    responseOf(endpoint, operation.responses[200].content['application/json'].schema, reference),
    ...(endpoint.errors.length === 0 ? [] : [`${texts.specificErrors}${endpoint.errors.map(errorLink).join(', ')}`]),
  ].join('\n\n')
}

/** The fields of `data`, or of the whole response of an endpoint without the envelope. */
function responseOf({ bare = false }: Endpoint, schema: Schema, reference: Reference): string {
  const { texts } = reference
  const done = (schema.oneOf as Schema[] | undefined)?.[0] ?? schema
  if (bare) return fieldTable(texts.bareResponse, done, texts.alwaysPresent, reference)
  const data = (done.properties as Record<string, Schema> | undefined)?.data
  return data === undefined ? texts.noData : fieldTable(texts.data, data, texts.alwaysPresent, reference)
}

function fieldTable(title: string, schema: Schema, required: string, { document, texts }: Reference): string {
  const fields = fieldsOf(schema, document.components.schemas)
  const [only] = fields
  if (only === undefined) return `${title}${texts.noFixedFields}`
  if (fields.length === 1 && only.name === '') return `${title}${texts.colon}${code(only.type)}`
  return table(
    [title, texts.type, required, texts.description],
    fields.map((field) => [code(field.name), code(field.type), field.required ? texts.yes : '', field.description]),
  )
}

function errorLink(name: string): string {
  return `[${name}](../errors.md#${name})`
}
