export default {
  title: 'Confirmez que c’est bien vous',
  purpose: 'Ceci touche à la sécurité ou aux soldes. Rien ne vous sera redemandé pendant dix minutes.',
  way: 'Comment confirmer',
  ways: { password: 'Mot de passe', code: 'Code de l’appli', passkey: 'Clé d’accès' },
  missing: {
    password: 'Saisissez votre mot de passe',
    code: 'Saisissez les six chiffres affichés par votre application',
  },
  wrongCode: 'Ce n’est pas le bon code. Saisissez celui que l’application affiche en ce moment.',
  confirm: 'Confirmer',
  passkey: {
    hint: 'Votre navigateur demandera votre empreinte, votre visage, un code PIN ou une clé de sécurité.',
    use: 'Utiliser une clé d’accès',
    closed: 'La fenêtre du navigateur a été fermée ou a expiré. Réessayez.',
    known: 'Cet appareil contient déjà une clé d’accès pour votre compte.',
    otherAddress: 'Les clés d’accès ne fonctionnent qu’à l’adresse définie par l’administrateur pour ce site.',
    unfit: 'Cet appareil ne peut pas créer de clé d’accès assez sûre. Essayez-en un autre.',
  },
  logInAgain: {
    text: 'Aucun moyen de confirmer ce compte n’est utilisable ici. Reconnectez-vous : une connexion récente vaut dix minutes.',
    action: 'Se reconnecter',
  },
}
