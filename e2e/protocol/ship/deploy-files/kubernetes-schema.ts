import type { Manifest } from './manifests.ts'

interface SchemaError {
  instancePath: string
  message?: string
  keyword: string
  params: Record<string, unknown>
}

interface Validate {
  (data: unknown): boolean
  errors?: SchemaError[] | null
}

/** Checks a manifest against the schema of its kind in Kubernetes. A field that the schema does not know is a problem too. */
export async function schemaProblems(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest
  const parts = apiVersion.split('/')
  const group = parts.length === 1 ? 'Core' : capitalized(parts[0]!.split('.')[0]!)
  const path = `kubernetes-models/_schemas/IoK8sApi${group}${capitalized(parts.at(-1)!)}${kind}`
  const { validate } = (await import(path)) as { validate: Validate }
  const read = new Map<object, Set<string>>()
  const problems = validate(recordReads(manifest, read))
    ? []
    : validate.errors!.map(
        ({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${JSON.stringify(params)}`,
      )
  return [...problems, ...unreadFields(manifest, read, '')].map(
    (problem) => `${kind} ${manifest.metadata.name}: ${problem}`,
  )
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** The validator reads every field that its schema has. */
function recordReads(value: object, read: Map<object, Set<string>>): object {
  const names = new Set<string>()
  read.set(value, names)
  const fields = new Map<string, unknown>()
  return new Proxy(value, {
    get(target, name) {
      const field: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol' || typeof field === 'function') return field
      names.add(name)
      if (typeof field !== 'object' || field === null) return field
      if (!fields.has(name)) fields.set(name, recordReads(field, read))
      return fields.get(name)
    },
  })
}

function unreadFields(value: unknown, read: ReadonlyMap<object, ReadonlySet<string>>, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) =>
    read.get(value)?.has(name) === true
      ? unreadFields(field, read, `${path}/${name}`)
      : [`${path}/${name} is not in the schema`],
  )
}
