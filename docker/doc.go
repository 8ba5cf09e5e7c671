// Package docker holds the container image of the lab: Dockerfile, compose file, entry point, health check, and the configurations of a hub
// for a class. It has no code of its own; its tests, behind the build tag image, build the image and try it out.
package docker
