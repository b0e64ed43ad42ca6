import { DesktopOutlined, MobileOutlined } from '@ant-design/icons'
import type { OwnSession } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { IsoTime, LoadingRows, Panel, Row, Rows } from './parts.tsx'
import { sessionsQuery, useEndAllSessions, useEndSession } from './api.ts'
import { readUserAgent } from './user-agent.ts'
import styles from './security.module.css'
import { useConfirm, useLeaveSession } from './hooks.ts'

export function SessionsPanel() {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const sessions = useQuery(sessionsQuery)
  return (
    <Panel title={t('sessions.title')} hint={t('sessions.hint')} action={sessions.data && <EndAllButton />}>
      {sessions.data ? (
        <SessionRows sessions={currentFirst(sessions.data)} />
      ) : sessions.error ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={sessions.error}
          retrying={sessions.isFetching}
          onRetry={sessions.refetch}
        />
      ) : (
        <LoadingRows />
      )}
    </Panel>
  )
}

const currentFirst = (sessions: readonly OwnSession[]) =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current))

/** More sessions are hidden until the list is expanded. */
const SHOWN_SESSIONS = 5

function SessionRows({ sessions }: { sessions: readonly OwnSession[] }) {
  const { t } = useTranslation('security')
  const [expanded, setExpanded] = useState(false)
  return (
    <>
      <Rows>
        {(expanded ? sessions : sessions.slice(0, SHOWN_SESSIONS)).map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Rows>
      {sessions.length > SHOWN_SESSIONS && (
        <Button type="link" className={styles.more} aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
          {expanded ? t('sessions.fewer') : t('sessions.all', { count: sessions.length })}
        </Button>
      )}
    </>
  )
}

const MOBILE_SYSTEMS = new Set(['iPhone', 'iPad', 'Android', 'HarmonyOS'])

function SessionRow({ session }: { session: OwnSession }) {
  const { t } = useTranslation('security')
  const { browser, system } = readUserAgent(session.user_agent)
  const device = [browser, system].filter((part) => part !== null).join(' · ') || t('sessions.unknown')
  return (
    <Row
      icon={
        system !== null && MOBILE_SYSTEMS.has(system) ? <MobileOutlined aria-hidden /> : <DesktopOutlined aria-hidden />
      }
      title={<span title={session.user_agent}>{device}</span>}
      tag={session.current && <StatusTag tone="good">{t('sessions.current')}</StatusTag>}
      text={
        <>
          <span className="number">{session.client_ip}</span> · {t('sessions.lastSeen')}{' '}
          <IsoTime at={session.last_seen_at} />
        </>
      }
      actions={!session.current && <EndButton id={session.id} device={device} />}
    />
  )
}

function EndButton({ id, device }: { id: string; device: string }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const end = useEndSession()
  const confirmEnd = () =>
    confirm({
      title: t('sessions.endTitle', { device }),
      text: t('sessions.endText'),
      action: t('sessions.end'),
      onConfirm: () => end.mutateAsync(id),
      done: t('sessions.ended', { device }),
    })
  return (
    <Button aria-label={t('sessions.endOf', { device })} onClick={confirmEnd}>
      {t('sessions.end')}
    </Button>
  )
}

function EndAllButton() {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const end = useEndAllSessions()
  const leave = useLeaveSession()
  const confirmEnd = () =>
    confirm({
      title: t('sessions.everywhereTitle'),
      text: t('sessions.everywhereText'),
      action: t('sessions.everywhere'),
      onConfirm: () => end.mutateAsync().then(leave),
      done: t('sessions.everywhereDone'),
    })
  return <Button onClick={confirmEnd}>{t('sessions.everywhere')}</Button>
}
