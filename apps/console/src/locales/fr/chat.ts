export default {
  title: 'Chat',
  loading: 'Ouverture du chat',
  login: {
    title: 'Connectez-vous pour discuter',
    hint: 'Le chat utilise le premier de vos jetons activés.',
    action: 'Se connecter',
  },
  noToken: {
    title: 'Aucun jeton activé, vérifiez qu’un jeton est bien activé !',
    hint: 'Vous allez être dirigé vers vos jetons.',
    action: 'Aller aux jetons',
  },
  broken: 'Lien de chat mal configuré, contactez l’administrateur',
  brokenHint: 'Aucun lien n’est défini, ou il ne peut pas être ouvert.',
  loadFailed: 'Le chat n’a pas pu être ouvert',
  outside: {
    title: 'Discuter dans {{name}}',
    hint: 'La clé et l’adresse sont préremplies.',
    action: 'Ouvrir {{name}}',
  },
  newTab: 'Ouvrir dans un nouvel onglet',
  newTabHint: 'Rien à l’écran ? Le chat n’autorise peut-être pas l’intégration.',
  leaving: 'Ouverture de {{name}}…',
}
