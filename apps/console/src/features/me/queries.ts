import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { rememberUser } from '../../lib/session.ts'

export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: async () => {
    const user = await call(api.getSelf)
    rememberUser(user)
    return user
  },
})

export const ownModelsQuery = queryOptions({ queryKey: ['own-models'], queryFn: () => call(api.listOwnModels) })
