import type { QueryClient } from '@tanstack/react-query'
import { onTestFinished } from 'vitest'
import { newQueryClient } from '../src/api/query-client.ts'

/** A query client that makes no request after its test: a retry would reach the fake server of the next test. */
export function createTestQueryClient(): QueryClient {
  const client = newQueryClient()
  onTestFinished(() => client.clear())
  return client
}
