import { useTranslation } from 'react-i18next'
import { errorText, isUnproved } from '../../../../api/errors.ts'
import { WeChatDialog } from '../../../../components/auth/wechat-dialog.tsx'
import { toast } from '../../../../lib/toast.ts'
import { useBindWeChat } from '../queries.ts'

/** The code that the site's WeChat account answered proves whose WeChat it is. */
export function WeChatBinding({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useTranslation('security')
  const bind = useBindWeChat()
  const close = () => {
    bind.reset()
    onClose()
  }
  const submit = (code: string) =>
    bind.mutate(
      { code },
      {
        onSuccess: () => {
          close()
          toast.success(t('bindings.done', { name: t('bindings.wechat') }))
        },
      },
    )
  return (
    <WeChatDialog
      title={t('bindings.wechatTitle')}
      submitText={t('bind')}
      open={open}
      onClose={close}
      onSubmit={submit}
      isPending={bind.isPending}
      problem={bind.error && !isUnproved(bind.error) ? errorText(bind.error) : ''}
    />
  )
}
