import { api } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { expect, it } from 'vitest'

const current = api.CHANNEL_TYPE_LIST.filter(({ legacy }) => !legacy)
const offered = current.filter((entry) => entry.offered)

it('offers the console the supported provider types only', () => {
  const served = current.filter(({ type }) => CHANNEL_TYPES.has(type))

  expect(offered.map(({ name }) => name)).toEqual(served.map(({ name }) => name))
})

it('has the same addresses as the providers', () => {
  const differing = offered.filter(({ type, baseUrl }) => CHANNEL_TYPES.get(type)?.baseUrl !== baseUrl)

  expect(differing.map(({ name }) => name)).toEqual([])
})
