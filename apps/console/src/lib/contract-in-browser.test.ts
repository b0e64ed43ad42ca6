import { expect, it } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

it('no screen checks with the schemas of a call, which are left out of the browser', () => {
  const using = Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(/\b\w+\.(?:reply|query|body|errors|summary)\.(?:parse|safeParse|shape|includes)\b/g)].map(
      ([use]) => `${file}: ${use}`,
    ),
  )

  expect(Object.keys(sources).length).toBeGreaterThan(300)
  expect(using).toEqual([])
})
