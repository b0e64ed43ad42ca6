import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { readBrowserPush, subscribeBrowser, unsubscribeBrowser } from '../../../lib/browser-push.ts'

const PUSH = ['push'] as const
/** The delivery log lists test notifications. */
const DELIVERIES = ['deliveries'] as const

export const devicesQuery = queryOptions({ queryKey: [...PUSH, 'devices'], queryFn: () => call(api.getPush) })
export const browserQuery = queryOptions({ queryKey: [...PUSH, 'browser'], queryFn: readBrowserPush })

interface TurnOnInput {
  publicKey: string
  /** Requested in the click handler, because browsers show the permission prompt only after a user action. */
  permission: Promise<NotificationPermission>
}

/** Subscribes this browser. Nothing happens when the user does not grant the permission. */
export function useTurnOn() {
  return usePushChange(
    async ({ publicKey, permission }: TurnOnInput) => {
      if ((await permission) !== 'granted') return
      const body = await subscribeBrowser(publicKey)
      try {
        await call(api.subscribePush, { body })
      } catch (error) {
        await unsubscribeBrowser()
        throw error
      }
    },
    { showsErrors: true },
  )
}

interface RemoveInput {
  id: number
  isThisDevice: boolean
}

export function useRemoveDevice() {
  return usePushChange(async ({ id, isThisDevice }: RemoveInput) => {
    await call(api.unsubscribePush, { query: { id } })
    if (isThisDevice) await unsubscribeBrowser()
  })
}

export function useTestPush() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.testPush, { body: { id } }),
    // A failed test can remove the device.
    onSettled: () =>
      Promise.all([DELIVERIES, PUSH].map((queryKey) => client.invalidateQueries({ queryKey: [...queryKey] }))),
  })
}

function usePushChange<Input>(change: (input: Input) => Promise<void>, { showsErrors = false } = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: PUSH }),
    meta: { showsErrors },
  })
}
