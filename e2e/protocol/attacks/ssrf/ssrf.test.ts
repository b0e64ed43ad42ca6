import { describe } from 'vitest'
import { channelAddressTests } from './channel-addresses.ts'
import { imageTaskTests } from './image-tasks.ts'
import { imageUrlTests } from './image-urls.ts'
import { privateAddressTests, reachableAddressTests } from './private-addresses.ts'
import { reachableRedirectTests, redirectTests } from './redirects.ts'
import { useSite } from './site.ts'

useSite()
describe('an address in a request', privateAddressTests)
describe('a public address', redirectTests)
describe('a file in a request', imageUrlTests)
describe('an address of an administrator', channelAddressTests)
describe('the image of a task', imageTaskTests)
describe('an operator who allows private addresses', () => {
  reachableAddressTests()
  reachableRedirectTests()
})
