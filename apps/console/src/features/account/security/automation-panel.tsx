import { PlusOutlined, RobotOutlined } from '@ant-design/icons'
import { AUTOMATION_TOKEN_PREFIX, type AutomationToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { NewTokenDialog } from './access-token-panel.tsx'
import { IsoTime, LoadingRows, Panel, Row, Rows, UsageTimes } from './parts.tsx'
import { automationTokensQuery, useRevokeAutomationToken } from './api.ts'
import styles from './security.module.css'
import { useConfirm, useDialog } from './hooks.ts'
import { CreateAutomationDialog } from './automation-dialog.tsx'

/** Tokens for programs, each with its scopes. */
export function AutomationPanel() {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const tokens = useQuery(automationTokensQuery)
  const creating = useDialog('automation')
  const [created, setCreated] = useState<string | null>(null)
  return (
    <Panel
      title={t('automation.title')}
      hint={t('automation.hint')}
      action={
        tokens.data && (
          <Button icon={<PlusOutlined aria-hidden />} onClick={creating.open}>
            {t('automation.create')}
          </Button>
        )
      }
    >
      {tokens.data ? (
        <TokenRows tokens={tokens.data.items} />
      ) : tokens.error ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={tokens.error}
          retrying={tokens.isFetching}
          onRetry={tokens.refetch}
        />
      ) : (
        <LoadingRows />
      )}
      <CreateAutomationDialog
        open={creating.isOpen && tokens.data !== undefined}
        onClose={creating.close}
        scopes={tokens.data?.scopes ?? []}
        onCreated={setCreated}
      />
      <NewTokenDialog texts="automation" token={created} onClose={() => setCreated(null)} />
    </Panel>
  )
}

function TokenRows({ tokens }: { tokens: readonly AutomationToken[] }) {
  const { t } = useTranslation('security')
  if (tokens.length === 0) return <p className={styles.nothing}>{t('automation.none')}</p>
  return (
    <Rows>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </Rows>
  )
}

function TokenRow({ token }: { token: AutomationToken }) {
  const { t } = useTranslation('security')
  const { name, expires_at, expired } = token
  return (
    <Row
      icon={<RobotOutlined aria-hidden />}
      title={name}
      tag={
        <>
          <span className="mono secondary">
            {AUTOMATION_TOKEN_PREFIX}••••{token.last_four}
          </span>
          {expired && <StatusTag tone="bad">{t('automation.expired')}</StatusTag>}
        </>
      }
      text={
        <>
          <Scopes scopes={token.scopes} />
          <div>
            <UsageTimes {...token} texts="token" />
            {expires_at !== null && !expired && (
              <>
                {' · '}
                {t('automation.expires')} <IsoTime at={expires_at} />
              </>
            )}
          </div>
          {token.allow_ips !== '' && <div className="mono">{token.allow_ips.split('\n').join(', ')}</div>}
        </>
      }
      actions={<RevokeButton token={token} />}
    />
  )
}

/** Further scopes are in the tooltip. */
const SHOWN_SCOPES = 4

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const { t } = useTranslation('security')
  const hidden = scopes.length - SHOWN_SCOPES
  return (
    <div title={scopes.join(', ')}>
      <span className="mono">{scopes.slice(0, SHOWN_SCOPES).join(', ')}</span>
      {hidden > 0 && <> · {t('automation.more', { count: hidden })}</>}
    </div>
  )
}

function RevokeButton({ token: { id, name } }: { token: AutomationToken }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const revoke = useRevokeAutomationToken()
  const confirmRevoke = () =>
    confirm({
      title: t('automation.revokeTitle', { name }),
      text: t('automation.revokeText'),
      action: t('automation.revoke'),
      onConfirm: () => revoke.mutateAsync(id),
      done: t('automation.revoked', { name }),
    })
  return (
    <Button aria-label={t('automation.revokeOf', { name })} onClick={confirmRevoke}>
      {t('automation.revoke')}
    </Button>
  )
}
