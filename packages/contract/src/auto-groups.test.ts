import { expect, it } from 'vitest'
import { autoGroupsOf, candidateGroups } from './auto-groups.ts'

const settings = {
  GroupRatio: { default: 1, vip: 2, staff: 0.5 },
  UserUsableGroups: { default: 'everyone', vip: 'VIP', gone: 'without a ratio' },
  AutoGroups: ['vip', 'gone', 'staff', 'default'],
}

it('returns groups that the user may use, in the order of the option', () => {
  expect(autoGroupsOf(settings, 'default')).toEqual(['vip', 'default'])
  expect(autoGroupsOf(settings, 'staff')).toEqual(['vip', 'staff', 'default'])
})

it('expands auto and returns other groups unchanged', () => {
  expect(candidateGroups(settings, 'default', 'auto')).toEqual(['vip', 'default'])
  expect(candidateGroups(settings, 'default', 'staff')).toEqual(['staff'])
})

it('is an ordinary group if the site has a group of that name', () => {
  const own = { ...settings, GroupRatio: { ...settings.GroupRatio, auto: 1 } }

  expect(autoGroupsOf(own, 'default')).toEqual([])
  expect(candidateGroups(own, 'default', 'auto')).toEqual(['auto'])
})
