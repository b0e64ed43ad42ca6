import { api, ERRORS, OPTIONS } from '@tidegate/contract'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProblems } from './docs/find-problems.ts'
import { REFERENCES } from './docs/references.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tidegate-docs-'))
  await plant('package.json', JSON.stringify({ name: 'root', scripts: { dev: 'x', start: 'x' } }))
  await plant('apps/server/package.json', JSON.stringify({ name: 'tidegate', scripts: { build: 'x' } }))
  await plant(
    'docs/guide.md',
    '# Guide\n\n## First steps\n\n## First steps\n\n## 充值 & `top-up`\n\n<a id="by-hand"></a>\n',
  )
})
afterEach(() => rm(root, { recursive: true }))

async function plant(path: string, text: string) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

describe('the docs check', () => {
  it.each([
    ['a path in text', 'See `apps/server/gone.ts`.', 'there is no apps/server/gone.ts'],
    ['a path in a command', '```sh\nnode scripts/gone.ts --now\n```', 'there is no scripts/gone.ts'],
    ['a path in a tree', '```\napps/gone     the other one\n```', 'there is no apps/gone'],
    ['an npm script', 'Run `npm run gone`.', 'there is no npm script gone'],
    ['a short npm script', '```bash\nnpm test\n```', 'there is no npm script test'],
    ['a script of a workspace', '`npm run dev -w tidegate`', 'there is no npm script dev in tidegate'],
    ['a link', '[x](docs/gone.md)', 'the link docs/gone.md leads nowhere'],
    ['a picture', '![x](docs/gone.png "t")', 'the link docs/gone.png leads nowhere'],
    ['a defined link', '[x][y]\n\n[y]: docs/gone.md', 'the link docs/gone.md leads nowhere'],
    ['an anchor', '[x](docs/guide.md#last-steps)', 'docs/guide.md has no heading for #last-steps'],
    ['an own anchor', '# Here\n[x](#there)', 'README.md has no heading for #there'],
    ['a link to the outside', '[x](../secret.md)', 'the link ../secret.md leaves the repository'],
  ])('rejects %s that does not exist', async (_, text, problem) => {
    await plant('README.md', text)

    expect(await findProblems(root)).toEqual([`README.md: ${problem}`])
  })

  it('rejects a line that starts with an HTML element, even inside a code span', async () => {
    await plant('README.md', 'Run `bench --before\n<checkout>` and read <a href="docs/guide.md">the guide</a>.')

    expect(await findProblems(root)).toEqual([
      'README.md: the line "<checkout>` and read <a href="docs/guide.md">the guide</a>." starts with an HTML element',
    ])
  })

  it.each([
    ['paths that exist', 'See `apps/server/package.json` and `docs/`.'],
    ['scripts that exist', '`npm run dev`, `npm start`, `npm run build -w tidegate`, `npm run build -w apps/server`'],
    ['commands of npm itself', '`npm ci`'],
    ['placeholders and patterns', '`packages/<name>/src`, `docs/**/*.md`, `docs/adr/NNNN-title.md`'],
    ['what a build or a benchmark makes', '`apps/server/dist/tidegate.mjs`, `lab/out`'],
    ['examples in a language', "```ts\nimport { x } from 'packages/gone/src'\n```"],
    [
      'links to headings',
      '[a](docs/guide.md#first-steps-1) [b](docs/guide.md#充值--top-up) [c](docs/guide.md#by-hand) [d](https://a.example/b)',
    ],
  ])('accepts %s', async (_, text) => {
    await plant('README.md', text)

    expect(await findProblems(root)).toEqual([])
  })

  it('reads only the unreleased part of the changelog', async () => {
    await plant('CHANGELOG.md', '# Changes\n\n## Unreleased\n\n- `docs/new.md`\n\n## 0.1.0\n\n- `docs/old.md`\n')

    expect(await findProblems(root)).toEqual(['CHANGELOG.md: there is no docs/new.md'])
  })

  it('checks the links of a decision, not the paths it mentions', async () => {
    await plant('docs/adr/0001-first.md', '`apps/gone/x.ts` [x](0002-second.md)')

    expect(await findProblems(root)).toEqual(['docs/adr/0001-first.md: the link 0002-second.md leads nowhere'])
  })
})

describe('the generated pages', () => {
  it.each([
    ['errors', 'docs/reference/errors.md', Object.keys(ERRORS)],
    ['options', 'docs/reference/options.md', Object.keys(OPTIONS)],
    ['options in Chinese', 'docs/zh/reference/options.md', Object.keys(OPTIONS)],
    ['calls', 'docs/reference/api.md', [`${api.createToken.method} ${api.createToken.path}`, 'DELETE /api/token/{id}']],
  ])('list all %s', (_, path, names) => {
    const page = REFERENCES[path]!()

    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('keep their tables intact when a cell contains a pipe', () => {
    const rows = REFERENCES['docs/reference/options.md']!()
      .split('\n')
      .filter((line) => line.startsWith('| '))

    expect(rows.filter((row) => row.replaceAll('\\|', '').split('|').length !== 8)).toEqual([])
  })
})
