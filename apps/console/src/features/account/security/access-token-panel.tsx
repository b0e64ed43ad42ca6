import type { AccessTokenFacts } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { Alert, Button, Modal } from '../../../ui/kit/index.ts'
import { LoadingRows, Panel, Row, Rows, UsageTimes } from './parts.tsx'
import { accessTokenQuery, useRenewAccessToken, useRevokeAccessToken } from './api.ts'
import styles from './security.module.css'
import { useConfirm } from './hooks.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { useLast } from '../../../lib/use-last.ts'

/** The token for the management API. */
export function AccessTokenPanel() {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const token = useQuery(accessTokenQuery)
  const [created, setCreated] = useState<string | null>(null)
  return (
    <Panel
      title={t('token.title')}
      hint={t('token.hint')}
      action={token.data !== undefined && <CreateButton replaces={token.data !== null} onCreated={setCreated} />}
    >
      {token.data ? (
        <Rows>
          <TokenRow facts={token.data} />
        </Rows>
      ) : token.data === null ? (
        <p className={styles.nothing}>{t('token.none')}</p>
      ) : token.error ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={token.error}
          retrying={token.isFetching}
          onRetry={token.refetch}
        />
      ) : (
        <LoadingRows />
      )}
      <NewTokenDialog texts="token" token={created} onClose={() => setCreated(null)} />
    </Panel>
  )
}

function CreateButton({ replaces, onCreated }: { replaces: boolean; onCreated(token: string): void }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const renew = useRenewAccessToken()
  const confirmReplace = () =>
    confirm({
      title: t('token.replaceTitle'),
      text: t('token.replaceText'),
      action: t('token.replace'),
      onConfirm: async () => onCreated(await renew.mutateAsync()),
    })
  const create = () => renew.mutate(undefined, { onSuccess: onCreated })
  return (
    <Button loading={!replaces && renew.isPending} onClick={replaces ? confirmReplace : create}>
      {t(replaces ? 'token.replace' : 'token.create')}
    </Button>
  )
}

function TokenRow({ facts }: { facts: AccessTokenFacts }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const revoke = useRevokeAccessToken()
  const confirmRevoke = () =>
    confirm({
      title: t('token.revokeTitle'),
      text: t('token.revokeText'),
      action: t('token.revoke'),
      onConfirm: () => revoke.mutateAsync(),
      done: t('token.revoked'),
    })
  return (
    <Row
      title={<span className="mono">••••••••{facts.last_four}</span>}
      text={<UsageTimes {...facts} texts="token" />}
      actions={<Button onClick={confirmRevoke}>{t('token.revoke')}</Button>}
    />
  )
}

interface Props {
  /** The texts of this kind of token. */
  texts: 'token' | 'automation'
  /** Null while the dialog is closed. */
  token: string | null
  onClose(): void
}

/** The token cannot be shown again, so a click outside does not close the dialog. */
export function NewTokenDialog({ texts, token, onClose }: Props) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const shown = useLast(token) ?? ''
  return (
    <Modal
      title={t(`${texts}.newTitle`)}
      open={token !== null}
      onCancel={onClose}
      closable={{ 'aria-label': common('close') }}
      mask={{ closable: false }}
      width={480}
      destroyOnHidden
      footer={
        <Button type="primary" onClick={onClose}>
          {common('done')}
        </Button>
      }
    >
      <Alert className={styles.notice} type="warning" showIcon title={t(`${texts}.once`)} />
      <output className={styles.token}>
        <CopyButton text={shown} words={shown} label={t(`${texts}.copy`, { token: shown })} />
      </output>
      <p className="secondary">{t(`${texts}.use`)}</p>
    </Modal>
  )
}
