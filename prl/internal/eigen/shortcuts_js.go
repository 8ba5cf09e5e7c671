package eigen

const shortcuts = false
