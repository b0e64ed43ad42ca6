import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Attacks that are too slow for every run, or that measure time, are part of `npm run proof -- attacks`. */
const PROOF = 'lab/proofs/attacks.ts'

/** Published weaknesses of gateways. Each has a test that contains its name. */
const CLASSES: Readonly<Record<string, string>> = {
  'quota TOCTOU': 'e2e/protocol/attacks/attacks.test.ts',
  'overflow and negative charge': 'e2e/protocol/attacks/attacks.test.ts',
  'webhook forgery with unset secret': 'e2e/protocol/attacks/attacks.test.ts',
  SSRF: 'e2e/protocol/attacks/ssrf/private-addresses.ts',
  'SSRF bypass': 'e2e/protocol/attacks/ssrf/redirects.ts',
  'host-header links': 'e2e/protocol/attacks/attacks.test.ts',
  'cache-key truncation': 'e2e/protocol/attacks/attacks.test.ts',
  'mass assignment of role and quota': 'e2e/protocol/attacks/attacks.test.ts',
  'pinned channel': 'e2e/protocol/attacks/attacks.test.ts',
  'step-up bypass': 'e2e/protocol/attacks/attacks.test.ts',
  'stored XSS': 'e2e/protocol/attacks/attacks.test.ts',
  'secrets in errors': 'e2e/protocol/attacks/attacks.test.ts',
  'default credentials': 'e2e/protocol/attacks/attacks.test.ts',
  'request smuggling': 'e2e/protocol/attacks/attacks.test.ts',
  'slow clients': PROOF,
  'enumeration of users by timing': PROOF,
  'brute force across nodes': PROOF,
}

describe('a published class of weaknesses', () => {
  it.each(Object.entries(CLASSES))(
    'has a test with its name and a line in the documentation: %s',
    async (name, file) => {
      const pattern = file === PROOF ? /^ {2}'([^']+)':/gm : /\b(?:it|describe)(?:\.each\([^)]*\))?\('([^']+)'/g
      const titles = [...(await readFile(join(ROOT, file), 'utf8')).matchAll(pattern)]
      expect(titles.map(([, title]) => title).filter((title) => title!.includes(name))).not.toEqual([])

      const rows = (await readFile(join(ROOT, 'docs/reference/threat-model.md'), 'utf8'))
        .split('\n')
        .filter((line) => line.startsWith('|'))
      const row = rows.find((line) => line.toLowerCase().startsWith(`| ${name.toLowerCase()} |`))
      expect(row).toContain(file)
    },
  )
})
