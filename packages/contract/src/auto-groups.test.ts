import { expect, it } from 'vitest'
import { autoGroupsOf, groupsToTry } from './auto-groups.ts'

const settings = {
  GroupRatio: { default: 1, vip: 2, staff: 0.5 },
  UserUsableGroups: { default: 'everyone', vip: 'VIP', gone: 'without a ratio' },
  AutoGroups: ['vip', 'gone', 'staff', 'default'],
}

it('keeps the order of the option and only groups that the user may use', () => {
  expect(autoGroupsOf(settings, 'default')).toEqual(['vip', 'default'])
  expect(autoGroupsOf(settings, 'staff')).toEqual(['vip', 'staff', 'default'])
})

it('expands auto and leaves other groups as they are', () => {
  expect(groupsToTry(settings, 'default', 'auto')).toEqual(['vip', 'default'])
  expect(groupsToTry(settings, 'default', 'staff')).toEqual(['staff'])
})

it('is an ordinary group where the operator has one of that name', () => {
  const own = { ...settings, GroupRatio: { ...settings.GroupRatio, auto: 1 } }

  expect(autoGroupsOf(own, 'default')).toEqual([])
  expect(groupsToTry(own, 'default', 'auto')).toEqual(['auto'])
})
