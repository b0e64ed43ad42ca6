import { isRoot, ROLES, type SettingsArea, type User } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { rememberUser, useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { Form, Skeleton } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { useUpdateUser } from '../mutations.ts'
import { userQuery } from '../queries.ts'
import { AccountSection } from './account-section.tsx'
import { AreasSection } from './areas-section.tsx'
import { BindingsSection } from './bindings-section.tsx'
import { InvitesSection } from './invites-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { editOf, valuesOf, type UserValues } from './user-values.ts'

const WIDTH = 520

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** Edits a user as it is stored now. */
export default function EditUserDrawer(props: Props) {
  const opening = useOpenings(props.open, props.id)
  return <EditUserForm key={opening} opening={opening} {...props} />
}

function EditUserForm({ open, id, onClose, opening }: Props & { opening: number }) {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<UserValues>()
  const stored = useQuery({ ...userQuery(id, opening), enabled: open })
  const update = useUpdateUser()
  const user = stored.data
  const isSuperAdmin = useSession((session) => isRoot(session.user?.role ?? 0))
  const grantable = isSuperAdmin && user?.role === ROLES.admin
  const save = (values: UserValues) => {
    if (!user) return
    const edit = editOf(user, values)
    const areas = grantable ? changedAreas(user, values) : undefined
    update.mutate(
      { edit, areas },
      {
        onSuccess: () => {
          keepOwnName(user, edit)
          toast.success(t('form.saved'))
          onClose()
        },
        onError: (error) => tellRefusal(form, error),
      },
    )
  }
  return (
    <FormDrawer<UserValues>
      title={user ? t('form.editTitle', { name: user.username }) : t('form.editTitleLoading')}
      width={WIDTH}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={user ? valuesOf(user) : {}}
      submitText={common('save')}
      submitting={update.isPending}
      onSubmit={save}
      {...(!user && { placeholder: waiting() })}
    >
      {user && (
        <>
          <AccountSection user={user} />
          <LimitsSection user={user} />
          {grantable && <AreasSection />}
          <BindingsSection user={user} />
          <InvitesSection user={user} />
        </>
      )}
    </FormDrawer>
  )

  function waiting() {
    if (!stored.error) return <Skeleton active paragraph={{ rows: 10 }} />
    return (
      <ErrorState
        title={t(`form.${failureOf(stored.error)}`)}
        error={stored.error}
        retrying={stored.isFetching}
        onRetry={stored.refetch}
      />
    )
  }
}

/** The grants as they are to be, when they are not those that are stored. */
function changedAreas(user: User, { settings_areas: wanted = [] }: UserValues): SettingsArea[] | undefined {
  const isSame =
    wanted.length === user.settings_areas.length && wanted.every((area) => user.settings_areas.includes(area))
  return isSame ? undefined : (wanted as SettingsArea[])
}

function failureOf(error: unknown): 'notFound' | 'notYours' | 'loadFailed' {
  const code = error instanceof CallError ? error.code : ''
  if (code === 'user_not_found') return 'notFound'
  return code === 'rank_read' ? 'notYours' : 'loadFailed'
}

/** Whoever edits the own account goes by the new name at once. */
function keepOwnName(
  user: User,
  { username, display_name: displayName }: Pick<UserValues, 'username'> & { display_name?: string | undefined },
) {
  const me = useSession.getState().user
  if (me?.id === user.id) rememberUser({ ...me, username, display_name: displayName || username })
}
