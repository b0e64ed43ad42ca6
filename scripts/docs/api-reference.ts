import { type Endpoint, ENDPOINTS } from '@tidegate/contract'
import { areaOf } from './api-pages.ts'
import { code, table } from './table.ts'

export function apiReference(): string {
  const endpoints = ENDPOINTS.map(({ endpoint }) => endpoint).toSorted(byPath)
  const areas = [...new Set(endpoints.map(areaOf))]
  const sections = areas.map((area) => {
    const rows = endpoints.filter((endpoint) => areaOf(endpoint) === area).map(rowOf)
    return `## ${area}\n\n[What they take and answer](api/${area}.md)\n\n${table(['Call', 'Access', 'What it does', 'Body', 'Refusals of its own'], rows)}`
  })
  return `# API

Calls of the control plane. Answers are wrapped as \`{ success, message, data }\` unless marked *bare*; a refusal carries
a \`code\` from [errors](errors.md). Both forms of a path, with and without a trailing slash, are answered.
\`public\` needs nobody, \`visitor\` uses a session when there is one, the other words are the least role. Logged-in calls
send the \`Tidegate-User\` header. The running server gives the full shapes at \`/api/openapi.json\`.

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
