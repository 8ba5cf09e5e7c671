package execute

// Folder is where the session's programs stand.
func (s *Session) Folder() string { return s.temp }

// Set adds a variable to the environment of the session's programs.
func (s *Session) Set(name, value string) { s.env = append(s.env, name+"="+value) }
