// Command serve answers over HTTP with a saved model: go run ./prl/saved/serve species.prl, and then
//
//	curl localhost:8080 -d '{"island": "Dream", "bill length": 49.5, "sex": null}'
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/prlab/prlab/prl/saved"
)

func handler(model *saved.Model) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var record map[string]any
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&record)
		var answer map[string]any
		if err == nil {
			answer, err = model.Answer(r.Context(), record)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer)
	}
}

func main() {
	model, err := saved.Read(os.Args[len(os.Args)-1])
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("localhost:8080", handler(model)))
}
