"""A two-dimensional flow: advection by gradients, diffusion in place on the interior, walls where the fluid rests.

The largest speed is printed every 20 steps, by the compiled code itself.
"""
import numpy as np


def laplacian(w):
    return w[2:, 1:-1] + w[:-2, 1:-1] + w[1:-1, 2:] + w[1:-1, :-2] - 4 * w[1:-1, 1:-1]


def rest_at_walls(w):
    w[0, :] = 0
    w[-1, :] = 0
    w[:, 0] = 0
    w[:, -1] = 0


# npcc export flow(float64[:,:], float64[:,:], float, float, int)
def flow(u, v, dt, viscosity, steps):
    """Advances the velocities u (along axis 1) and v (along axis 0) in place; returns the kinetic energy."""
    for step in range(steps):
        u_y, u_x = np.gradient(u)
        v_y, v_x = np.gradient(v)
        new_u = u - dt * (u * u_x + v * u_y)
        new_v = v - dt * (u * v_x + v * v_y)
        new_u[1:-1, 1:-1] += viscosity * dt * laplacian(u)
        new_v[1:-1, 1:-1] += viscosity * dt * laplacian(v)
        rest_at_walls(new_u)
        rest_at_walls(new_v)
        u[:, :] = new_u
        v[:, :] = new_v
        if step % 20 == 0:
            print("step", step, "speed", np.max(np.sqrt(u * u + v * v)))
    return 0.5 * np.sum(u * u + v * v)


if __name__ == "__main__":
    y, x = np.mgrid[0:1:64j, 0:1:64j]
    u, v = np.sin(np.pi * x) * np.sin(2 * np.pi * y), np.sin(2 * np.pi * x) * np.sin(np.pi * y)
    print("energy", flow(u, v, 0.01, 0.1, 100))
