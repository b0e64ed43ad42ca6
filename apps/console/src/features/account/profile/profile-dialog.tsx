import type { User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { Form, Input, Modal } from '../../../ui/kit/index.ts'
import { useConfirmDiscard } from '../../../ui/form/unsaved-guard.tsx'
import { useUpdateSelf } from '../queries.ts'
import { useUnsavedForm } from '../unsaved-forms.tsx'

interface Props {
  user: User
  open: boolean
  onClose(): void
}

interface Values {
  display_name: string
  username: string
}

const DISPLAY_NAME_MAXIMUM = 20
const USERNAME_MAXIMUM = 12

/** The two names of a person. */
export function ProfileDialog({ user, open, onClose }: Props) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<Values>()
  const update = useUpdateSelf()
  const confirmDiscard = useConfirmDiscard()
  const changes = () => (open ? changesOf(form.getFieldsValue(), user) : {})
  const hasChanges = () => Object.keys(changes()).length > 0
  useUnsavedForm(hasChanges)

  const close = () => {
    if (update.isPending) return
    if (hasChanges()) confirmDiscard({ onDiscard: onClose })
    else onClose()
  }
  const submit = () => {
    if (update.isPending) return
    if (!hasChanges()) return toast.info(t('unchanged'))
    update.mutate(changes(), {
      onSuccess() {
        toast.success(t('profile.saved'))
        onClose()
      },
      onError(error) {
        // Whatever the server has against a name is about the username; the other one it always takes.
        const isRefused = error instanceof ApiError && error.code.startsWith('username_')
        if (!isRefused) return toast.error(errorText(error))
        form.setFields([{ name: 'username', errors: [errorText(error)] }])
        form.scrollToField('username', { focus: true })
      },
    })
  }
  return (
    <Modal
      title={t('profile.editTitle')}
      open={open}
      onCancel={close}
      onOk={form.submit}
      okText={common('save')}
      cancelText={common('cancel')}
      confirmLoading={update.isPending}
      destroyOnHidden
      width={440}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        initialValues={{ display_name: user.display_name, username: user.username }}
        onFinish={submit}
        scrollToFirstError={{ focus: true }}
      >
        <Form.Item<Values>
          name="display_name"
          label={t('profile.displayName')}
          extra={t('profile.displayNameHint')}
          rules={[
            // Blank would mean "as it is": whoever has a name must be told that it cannot be taken away.
            {
              required: user.display_name !== '',
              whitespace: user.display_name !== '',
              message: t('profile.errors.displayName'),
            },
            { validator: within(DISPLAY_NAME_MAXIMUM, t('profile.errors.displayNameLong')) },
          ]}
        >
          <Input autoComplete="nickname" spellCheck={false} />
        </Form.Item>
        <Form.Item<Values>
          name="username"
          label={t('profile.username')}
          extra={t('profile.usernameHint')}
          validateFirst
          rules={[
            { required: true, whitespace: true, message: t('profile.errors.username') },
            { validator: within(USERNAME_MAXIMUM, t('profile.errors.usernameLong')) },
            { pattern: /^[^@]*$/, message: t('profile.errors.usernameSigns') },
          ]}
        >
          <Input autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
        {/* The buttons are outside the form; without a submit button inside, Enter would do nothing. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </Modal>
  )
}

function changesOf(values: Partial<Values>, user: User): Partial<Values> {
  const [displayName, username] = [values.display_name?.trim() ?? '', values.username?.trim() ?? '']
  return {
    ...(displayName !== user.display_name && { display_name: displayName }),
    ...(username !== user.username && { username }),
  }
}

/** Counts signs as people do, and as the server does. */
const within =
  (maximum: number, message: string) =>
  (_: unknown, value: string = ''): Promise<void> =>
    [...value.trim()].length <= maximum ? Promise.resolve() : Promise.reject(new Error(message))
