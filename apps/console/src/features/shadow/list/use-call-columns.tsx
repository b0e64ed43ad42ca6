import type { ShadowCall } from '@tidegate/contract/api'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ColumnRules } from '../../../ui/table/column-choice.ts'
import { stored } from '../../../lib/stored.ts'
import { Money } from '../../../components/money.tsx'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { NUMBER, type Column } from '../../../ui/table/columns.ts'
import { Time } from '../../../ui/page/time.tsx'
import { Charge, ChargeDifference } from '../amounts.tsx'
import { CallPath, CallRoute, ModelName, Name, OldTokens, OutcomeTag, TokenCount } from './cells.tsx'

const KEYS = [
  'time',
  'user',
  'token',
  'group',
  'model',
  'path',
  'route',
  'outcome',
  'prompt',
  'reserve',
  'oldTokens',
  'old',
  'ours',
  'difference',
  'details',
] as const
export type ColumnKey = (typeof KEYS)[number]

export const COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(),
  hiddenAtFirst: {
    administrator: new Set(['token', 'group', 'path', 'prompt', 'reserve', 'oldTokens']),
    user: new Set(),
  },
  item: stored.shadowColumns,
}

export function useCallColumns(shown: readonly ColumnKey[], onOpen: (call: ShadowCall) => void): Column<ShadowCall>[] {
  const { t } = useTranslation('shadow')
  return useMemo(() => {
    const columns: Record<ColumnKey, Column<ShadowCall>> = {
      ...FACTS,
      details: {
        ...NUMBER,
        ...cell((call) => (
          <RowButton
            main
            label={t('detail.open', { model: call.model_name, id: call.id })}
            onClick={() => onOpen(call)}
          >
            {t('columns.details')}
          </RowButton>
        )),
      },
    }
    return shown.map((key) => ({ key, title: t(`columns.${key}`), ...columns[key] }))
  }, [t, shown, onOpen])
}

const cell = (show: (call: ShadowCall) => ReactNode) => ({ render: (_: unknown, call: ShadowCall) => show(call) })
const figure = (show: (call: ShadowCall) => ReactNode) => ({ align: 'right' as const, ...cell(show) })

const FACTS: Record<Exclude<ColumnKey, 'details'>, Column<ShadowCall>> = {
  time: cell((call) => <Time unixSeconds={call.created_at} exact />),
  user: cell((call) => <Name text={call.username} />),
  token: cell((call) => <Name text={call.token_name} />),
  group: cell((call) => <Name text={call.group} />),
  model: cell((call) => <ModelName call={call} />),
  path: cell((call) => <CallPath call={call} />),
  route: cell((call) => <CallRoute call={call} />),
  outcome: cell((call) => <OutcomeTag call={call} />),
  prompt: figure((call) => <TokenCount value={call.prompt_tokens} />),
  reserve: figure((call) => <Money quota={call.reserve} kind="call" />),
  oldTokens: figure((call) => <OldTokens call={call} />),
  old: figure((call) => <Charge quota={call.old_quota} />),
  ours: figure((call) => <Charge quota={call.would_quota} />),
  difference: {
    ...NUMBER,
    ...cell((call) => <ChargeDifference old={call.old_quota} ours={call.would_quota} stacked />),
  },
}
