export default {
  title: 'Connexion',
  purpose: 'Bon retour sur {{name}}',
  username: 'Nom d’utilisateur ou e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  forgot: 'Mot de passe oublié ?',
  noAccount: 'Pas encore de compte ?',
  register: 'S’inscrire',
  required: 'Saisissez le nom d’utilisateur et le mot de passe !',
  expired: 'Non connecté ou session expirée. Veuillez vous reconnecter !',
  registered: 'Inscription réussie ! Connectez-vous.',
  weakPassword: {
    default: {
      title: 'Vous utilisez le mot de passe par défaut !',
      text: 'Changez immédiatement le mot de passe par défaut !',
    },
    weak: {
      title: 'Votre mot de passe est facile à deviner !',
      text: 'Qui devine le mot de passe du super-administrateur contrôle le site. Changez-le immédiatement.',
    },
    action: 'Le changer',
    later: 'Plus tard',
  },
}
