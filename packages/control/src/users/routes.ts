import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { createUser } from './create-user.ts'
import { listUsers, readUser } from './read-users.ts'
import { deleteUser, manageUser, setSettingsAreas } from './manage-user.ts'
import { updateUser } from './update-user.ts'

export function registerUsers(serve: Serve, deps: Deps): void {
  serve(api.listUsers, ({ query: { order, page } }) => listUsers(deps, {}, order, page))
  serve(api.searchUsers, ({ query: { filters, order, page } }) => listUsers(deps, filters, order, page))
  serve(api.getUser, ({ actor, params }) => readUser(deps, actor, params.id!))
  serve(api.createUser, ({ actor, body, origin }) => createUser(deps, actor, body, origin))
  serve(api.updateUser, ({ actor, body, origin }) => updateUser(deps, actor, body, origin))
  serve(api.manageUser, ({ actor, body, origin }) => manageUser(deps, actor, body, origin))
  serve(api.setSettingsAreas, ({ actor, body, origin }) => setSettingsAreas(deps, actor, body, origin))
  serve(api.deleteUser, ({ actor, params, origin }) => deleteUser(deps, actor, params.id!, origin))
}
