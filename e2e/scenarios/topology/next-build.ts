import { registerHooks } from 'node:module'

/**
 * Loaded before the product (`NODE_OPTIONS=--import=…`). Turns it into a later build with one more migration, which
 * locks the usage log for a second.
 */
/** Migrations run in the order of their names, wherever they are in the list. */
const FIRST_MIGRATION = /["']0001-foundation["']:/
const NEXT_MIGRATION = `'9000-next-build': {
  async up(db) {
    await db.schema.alterTable('usage_log').addColumn('of_the_next_build', 'text').execute()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  },
}`

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    // One of the files of a build has the list of migrations.
    if (!/\/(dist\/[\w-]+\.mjs|migrations\/index\.ts)$/.test(url)) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    if (!FIRST_MIGRATION.test(source)) return loaded
    return { ...loaded, source: source.replace(FIRST_MIGRATION, `${NEXT_MIGRATION}, $&`) }
  },
})
