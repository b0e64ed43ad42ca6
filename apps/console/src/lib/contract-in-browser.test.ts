import { expect, it } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

it('uses no request or response schemas, which the browser bundle does not contain', () => {
  const using = Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(/\b\w+\.(?:reply|query|body|errors|summary)\.(?:parse|safeParse|shape|includes)\b/g)].map(
      ([use]) => `${file}: ${use}`,
    ),
  )

  expect(Object.keys(sources).length).toBeGreaterThan(300)
  expect(using).toEqual([])
})
