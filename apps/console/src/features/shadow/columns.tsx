import type { ShadowCall } from '@tidegate/contract/api'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/money.tsx'
import { columnDecimals, formatCount } from '../../lib/format.ts'
import { stored } from '../../lib/stored.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { Time } from '../../ui/page/time.tsx'
import type { ColumnRules } from '../../ui/table/column-choice.ts'
import { NUMBER, type Column } from '../../ui/table/columns.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import {
  ChannelName,
  Charge,
  ChargeDifference,
  ModelName,
  Nothing,
  OutcomeTag,
  PathText,
  TokenCount,
} from './cells.tsx'
import styles from './shadow.module.css'

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
type ColumnKey = (typeof KEYS)[number]

export const REQUEST_COLUMNS: ColumnRules<ColumnKey> = {
  keys: KEYS,
  forAdministrators: new Set(),
  hiddenAtFirst: {
    administrator: new Set(['token', 'group', 'path', 'prompt', 'reserve', 'oldTokens']),
    user: new Set(),
  },
  from: { user: 1024, route: 1200, old: 1200, ours: 1024 },
  item: stored.shadowColumns,
}

type OnOpen = (request: ShadowCall) => void

export function useRequestColumns(
  shown: readonly ColumnKey[],
  rows: readonly ShadowCall[] | undefined,
  onOpen: OnOpen,
): Column<ShadowCall>[] {
  const { t } = useTranslation('shadow')
  const decimals = decimalsOf(rows)
  return useMemo(() => {
    const columns: Record<ColumnKey, Column<ShadowCall>> = {
      ...COLUMNS,
      old: numberCell((request) => <Charge quota={request.old_quota} decimals={decimals} />),
      ours: numberCell((request) => <Charge quota={request.would_quota} decimals={decimals} />),
      difference: {
        ...NUMBER,
        ...cell(({ old_quota: old, would_quota: ours }) => (
          <ChargeDifference old={old} ours={ours} decimals={decimals} />
        )),
      },
      details: { ...NUMBER, ...cell((request) => <DetailsButton request={request} onOpen={onOpen} />) },
    }
    return shown.map((key) => {
      const title = t(`columns.${key}`)
      return {
        key,
        title: key === 'details' ? <span className="visually-hidden">{title}</span> : title,
        ...columns[key],
      }
    })
  }, [t, shown, decimals, onOpen])
}

const decimalsOf = (rows: readonly ShadowCall[] = []) =>
  columnDecimals(
    rows.flatMap(({ old_quota: old, would_quota: ours }) => [old ?? 0, ours ?? 0, (ours ?? 0) - (old ?? 0)]),
  )

const cell = (render: (request: ShadowCall) => ReactNode) => ({
  render: (_: unknown, request: ShadowCall) => render(request),
})
const numberCell = (render: (request: ShadowCall) => ReactNode) => ({ align: 'right' as const, ...cell(render) })

const COLUMNS: Record<Exclude<ColumnKey, 'old' | 'ours' | 'difference' | 'details'>, Column<ShadowCall>> = {
  time: cell((request) => <Time unixSeconds={request.created_at} exact />),
  user: cell((request) => <Name text={request.username} />),
  token: cell((request) => <Name text={request.token_name} />),
  group: cell((request) => <Name text={request.group} />),
  model: cell((request) => <ModelName request={request} />),
  path: cell((request) => <RequestPath request={request} />),
  route: cell((request) => <Route request={request} />),
  outcome: cell((request) => <OutcomeTag request={request} />),
  prompt: numberCell((request) => <TokenCount value={request.prompt_tokens} />),
  reserve: numberCell((request) => <Money quota={request.reserve} kind="call" />),
  oldTokens: numberCell((request) => <OldTokens request={request} />),
}

interface CellProps {
  request: ShadowCall
}

interface CardProps extends CellProps {
  rows: readonly ShadowCall[] | undefined
  onOpen: OnOpen
}

export function RequestCard({ rows, request, onOpen }: CardProps) {
  const { t } = useTranslation('shadow')
  const decimals = decimalsOf(rows)
  const isMatched = request.old_log_at !== null
  return (
    <RowCard
      title={<ModelName request={request} />}
      note={<Time unixSeconds={request.created_at} short />}
      aside={
        isMatched ? (
          <ChargeDifference old={request.old_quota} ours={request.would_quota} decimals={decimals} />
        ) : (
          <OutcomeTag request={request} />
        )
      }
      details={
        <>
          <Facts
            facts={[
              { term: t('columns.time'), value: <Time unixSeconds={request.created_at} exact /> },
              { term: t('columns.outcome'), value: <OutcomeTag request={request} /> },
              { term: t('columns.user'), value: request.username },
              ...(isMatched ? [{ term: t('columns.oldChannel'), value: <OldChannel request={request} /> }] : []),
              { term: t('columns.channel'), value: <NewChannel request={request} /> },
              ...(isMatched
                ? [
                    { term: t('columns.old'), value: <Charge quota={request.old_quota} /> },
                    { term: t('columns.ours'), value: <Charge quota={request.would_quota} /> },
                  ]
                : [{ term: t('columns.reserve'), value: <Charge quota={request.reserve} /> }]),
            ]}
          />
          <span>
            <DetailsButton request={request} onOpen={onOpen} />
          </span>
        </>
      }
    />
  )
}

/** Opens the dialog with all details. */
function DetailsButton({ request, onOpen }: CellProps & { onOpen: OnOpen }) {
  const { t } = useTranslation('shadow')
  return (
    <RowButton
      main
      label={t('detail.open', { model: request.model_name, id: request.id })}
      onClick={() => onOpen(request)}
    >
      {t('columns.details')}
    </RowButton>
  )
}

/** A name that is cut if it is too long. */
function Name({ text }: { text: string }) {
  if (text === '') return <Nothing />
  return (
    <span className={styles.short} title={text}>
      {text}
    </span>
  )
}

const OldChannel = ({ request }: CellProps) => (
  <ChannelName id={request.old_channel_id} name={request.old_channel_name} />
)
const NewChannel = ({ request }: CellProps) => <ChannelName id={request.channel_id} name={request.channel_name} />

/** The channel of the old gateway and, if it differs, the new channel below it. */
function Route({ request }: CellProps) {
  const { t } = useTranslation('shadow')
  if (request.old_log_at === null || request.old_channel_id === request.channel_id) {
    return <NewChannel request={request} />
  }
  return (
    <span className={styles.lines}>
      <span>
        <span className="visually-hidden">{t('columns.oldChannel')}: </span>
        <OldChannel request={request} />
      </span>
      <span>
        <span className="visually-hidden">{t('columns.channel')}: </span>
        <span aria-hidden className="secondary">
          →{' '}
        </span>
        <NewChannel request={request} />
      </span>
    </span>
  )
}

function RequestPath({ request: { path, is_stream: isStream } }: CellProps) {
  const { t } = useTranslation('shadow')
  return (
    <span className={styles.lines}>
      <span className={styles.name}>
        <PathText path={path} />
      </span>
      <span className={`secondary ${styles.under}`}>{t(isStream ? 'stream' : 'notStream')}</span>
    </span>
  )
}

function OldTokens({ request: { old_prompt_tokens: prompt, old_completion_tokens: completion } }: CellProps) {
  const { t } = useTranslation('shadow')
  if (prompt === null || completion === null) return <Nothing />
  const text = t('inAndOut', { prompt: formatCount(prompt), completion: formatCount(completion) })
  return <span className="number">{text}</span>
}
