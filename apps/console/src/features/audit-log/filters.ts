import { useTranslation } from 'react-i18next'
import { boundsOf } from '../../lib/time-range.ts'
import { wholeNumber } from '../../lib/whole-number.ts'
import {
  choiceFilter,
  defineFilters,
  flagFilter,
  rangeFilter,
  textFilter,
  type FilterValues,
} from '../../ui/filters/define-filters.ts'
import type { FilterField } from '../../ui/filters/filters.tsx'
import { ACTIONS, AREAS, areaOf, isArea, isKnown } from '../../components/audit-event/audit-actions.ts'

/** `actor` is a user ID. `action` is an area, such as `user`, or one action in it, such as `user.promote`. */
export const auditFilters = defineFilters({
  subject: textFilter(),
  actor: choiceFilter((id) => wholeNumber(id) !== null),
  action: choiceFilter(),
  range: rangeFilter('all'),
  logins: flagFilter(),
})

export type AuditFilters = FilterValues<typeof auditFilters>

/** Parameters of the API. Filters that are not set are left out. */
export function queryOf({ actor, action, subject, range }: AuditFilters): Record<string, string | number> {
  const { start, end } = boundsOf(range)
  return {
    ...(actor && { actor_id: Number(actor) }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}

/** Logins are hidden at first, because there are more of them than of all other events. */
export const hidesLogins = ({ logins, action }: AuditFilters): boolean => !logins && !showsLogins(action)

/** Logins were asked for by their action or its area. */
const showsLogins = (action: string) => action === 'user' || action === 'user.login'

/** @param actor the field that searches users on the server. */
export function useAuditFields({ action }: AuditFilters, actor: FilterField) {
  const { t } = useTranslation('audit')
  const { t: common } = useTranslation()
  return {
    subject: { label: t('filters.subject'), chip: t('columns.subject') },
    actor,
    action: { label: t('filters.action'), wide: true, options: actionOptions() },
    range: { label: common('filters.range') },
    logins: showsLogins(action) ? undefined : { label: t('filters.logins') },
  }

  function actionOptions() {
    const isOther = action !== '' && !isKnown(action) && !isArea(action)
    return [
      ...(isOther ? [{ value: action, label: action }] : []),
      ...AREAS.map((area) => ({
        label: t(`areas.${area}`),
        options: [
          { value: area, label: t(`wholeArea.${area}`) },
          ...ACTIONS.filter((known) => areaOf(known) === area).map((known) => ({
            value: known as string,
            label: t(`actions.${known}`),
          })),
        ],
      })),
      { value: 'setup', label: t('actions.setup') },
    ]
  }
}
