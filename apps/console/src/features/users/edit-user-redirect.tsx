import { Navigate, useParams } from 'react-router'

/** `/user/edit` opens the drawer for a new user, `/user/edit/7` the drawer of user 7. */
export default function EditUserRedirect() {
  const { id } = useParams()
  const drawer = id === undefined ? 'drawer=create' : `drawer=edit&id=${encodeURIComponent(id)}`
  return <Navigate replace to={`/admin/users?${drawer}`} />
}
