package cell

// A Bundle is one output in the two forms every front end can choose from: text/html and text/plain. An empty form is left out.
type Bundle struct{ HTML, Text string }
