import type { AccessTokenFacts } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { LoadError } from '../../../../components/resource/load-error.tsx'
import { Button } from '../../../../ui/kit/index.ts'
import { IsoTime } from '../iso-time.tsx'
import { Panel } from '../panel.tsx'
import { accessTokenQuery, useRenewAccessToken, useRevokeAccessToken } from '../queries.ts'
import { LoadingRows, Row, Rows } from '../row.tsx'
import styles from '../security.module.css'
import { useConfirm } from '../use-confirm.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'

/** The token with which a program acts for its user. */
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
      <NewTokenDialog words="token" token={created} onClose={() => setCreated(null)} />
    </Panel>
  )
}

function CreateButton({ replaces, onCreated }: { replaces: boolean; onCreated(token: string): void }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const renew = useRenewAccessToken()
  const ask = () =>
    confirm({
      title: t('token.replaceTitle'),
      text: t('token.replaceText'),
      action: t('token.replace'),
      onConfirm: async () => onCreated(await renew.mutateAsync()),
    })
  const create = () => renew.mutate(undefined, { onSuccess: onCreated })
  return (
    <Button loading={!replaces && renew.isPending} onClick={replaces ? ask : create}>
      {t(replaces ? 'token.replace' : 'token.create')}
    </Button>
  )
}

function TokenRow({ facts: { last_four, created_at, last_used_at } }: { facts: AccessTokenFacts }) {
  const { t } = useTranslation('security')
  const confirm = useConfirm()
  const revoke = useRevokeAccessToken()
  const askToRevoke = () =>
    confirm({
      title: t('token.revokeTitle'),
      text: t('token.revokeText'),
      action: t('token.revoke'),
      onConfirm: async () => {
        await revoke.mutateAsync()
        toast.success(t('token.revoked'))
      },
    })
  return (
    <Row
      title={<span className="mono">••••••••{last_four}</span>}
      text={
        <>
          {t('token.createdAt')} <IsoTime at={created_at} /> ·{' '}
          {last_used_at === null ? (
            t('token.neverUsed')
          ) : (
            <>
              {t('token.lastUsed')} <IsoTime at={last_used_at} />
            </>
          )}
        </>
      }
      actions={<Button onClick={askToRevoke}>{t('token.revoke')}</Button>}
    />
  )
}
