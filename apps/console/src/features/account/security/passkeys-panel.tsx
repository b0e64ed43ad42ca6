import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import type { Passkey } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeyObstacle } from '../../../components/reauth/passkeys.ts'
import { useStatus } from '../../../api/status.ts'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { LoadingRows, Panel, Row, Rows, UsageTimes } from './parts.tsx'
import { useRemovePasskey } from './api.ts'
import styles from './security.module.css'
import { useConfirm, useDialog } from './hooks.ts'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

export function PasskeysPanel({ passkeys }: { passkeys: Passkey[] | undefined }) {
  const { t } = useTranslation('security')
  const { server_address: address } = useStatus()
  const obstacle = passkeyObstacle(address)
  const adding = useDialog('passkey')
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  return (
    <Panel
      title={t('passkeys.title')}
      hint={t('passkeys.hint')}
      action={
        passkeys &&
        obstacle === null && (
          <Button icon={<PlusOutlined aria-hidden />} onClick={adding.open}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      {obstacle !== null && (
        <Alert
          className={styles.obstacle}
          type="info"
          showIcon
          title={t(`passkeys.obstacles.${obstacle}`, { address })}
        />
      )}
      {!passkeys ? (
        <LoadingRows />
      ) : passkeys.length === 0 ? (
        obstacle === null && <p className={styles.nothing}>{t('passkeys.none')}</p>
      ) : (
        <Rows>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRename={() => setRenamed(passkey)} />
          ))}
        </Rows>
      )}
      <AddPasskeyDialog
        open={adding.isOpen && obstacle === null && passkeys !== undefined}
        onClose={adding.close}
        taken={passkeys?.map(({ name }) => name) ?? []}
      />
      <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} />
    </Panel>
  )
}

function PasskeyRow({ passkey, onRename }: { passkey: Passkey; onRename(): void }) {
  const { t } = useTranslation('security')
  const { name, backed_up } = passkey
  const confirm = useConfirm()
  const remove = useRemovePasskey()
  const confirmRemove = () =>
    confirm({
      title: t('passkeys.removeTitle', { name }),
      text: t('passkeys.removeText'),
      action: t('passkeys.remove'),
      onConfirm: () => remove.mutateAsync(passkey.id),
      done: t('passkeys.removed', { name }),
    })
  return (
    <Row
      icon={<KeyOutlined aria-hidden />}
      title={name}
      tag={
        backed_up && (
          <StatusTag tone="info" plain>
            {t('passkeys.synced')}
          </StatusTag>
        )
      }
      text={<UsageTimes {...passkey} texts="passkeys" />}
      actions={
        <>
          <Button aria-label={t('passkeys.renameOf', { name })} onClick={onRename}>
            {t('passkeys.rename')}
          </Button>
          <Button aria-label={t('passkeys.removeOf', { name })} onClick={confirmRemove}>
            {t('passkeys.remove')}
          </Button>
        </>
      }
    />
  )
}
