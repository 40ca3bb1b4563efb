#version 330
in vec2 p; in vec3 c; out vec3 v; void main(){v=c; gl_Position=vec4(p,0,1);}