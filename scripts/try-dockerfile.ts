import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { throwAwayDatabase } from '@tidegate/testing'
import { buildStages } from './try-dockerfile/build-stages.ts'
import { parseDockerfile } from './try-dockerfile/parse-dockerfile.ts'
import { tryImage } from './try-dockerfile/try-image.ts'

/**
 * Takes the steps of the Dockerfile without a container engine: each stage is a folder laid over this machine's own files
 * (overlayfs in a mount namespace, so it wants root on Linux), and the result is started as its user on a read-only root.
 * `--given install=FOLDER` takes a stage as made.
 */
const { values } = parseArgs({ options: { given: { type: 'string', multiple: true, default: [] } } })
const context = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'tidegate-image-'))
try {
  const stages = parseDockerfile(await readFile(join(context, 'deploy/docker/Dockerfile'), 'utf8'))
  const given = Object.fromEntries(values.given.map((pair) => pair.split('=') as [string, string]))
  const image = await buildStages(stages, { context, folder, given, env: packageSettings(), say: console.log })

  const database = await throwAwayDatabase({ migrate: false, poolSize: 1 })
  try {
    const env = { DATABASE_URL: database.url, TIDEGATE_SECRET: randomBytes(32).toString('hex') }
    const trial = await tryImage(image, stages.at(-1)!, { folder, env })
    console.log(
      `healthy after ${Math.round(trial.healthyAfterMs)} ms as ${image.user}, ` +
        `${trial.wroteElsewhere ? 'WROTE beside its volume' : 'wrote nothing beside its volume'}, ended with ${trial.exitCode}`,
    )
    process.exitCode = trial.wroteElsewhere || trial.exitCode !== 0 ? 1 : 0
  } finally {
    await database.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** How this machine reaches a registry. */
function packageSettings(): Record<string, string> {
  const wanted = Object.entries(process.env).filter(([name]) => /^(npm_config_|https?_proxy$|no_proxy$)/i.test(name))
  return { HOME: '/root', ...(Object.fromEntries(wanted) as Record<string, string>) }
}
