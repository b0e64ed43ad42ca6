import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { stored } from '../lib/stored.ts'

/** The areas of the settings that the administrator was granted. A grant applies without a new login. */
export const ownAreasQuery = queryOptions({
  queryKey: ['own-settings-areas'],
  queryFn: async ({ signal }) => (await call(api.getSelf, { signal })).settings_areas,
  placeholderData: () => stored.user.get()?.settings_areas,
})
