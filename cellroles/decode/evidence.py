"""Roles or probabilities -> what each cell says for itself, and what its group says about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellroles.sheet import COLUMN_HEADERS, DATA_ROLES, ROW_HEADERS, Bytes, Floats, Ints, Role

TRUST = 8.0  # odds that a role given without a probability is right against any other one
PRIOR_WEIGHT = 0.25  # pseudo-cells of each role in a group: a group of three may outvote one cell
KINDS = (DATA_ROLES, COLUMN_HEADERS, ROW_HEADERS, (Role.HEADER, Role.METADATA, Role.COMMENT, Role.JUNK))
DATA, COLUMN, ROW, OTHER = range(4)
KIND_OF_ROLE = np.array([next((k for k, kind in enumerate(KINDS) if role in kind), -1) for role in Role], np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """`own` (n, 13): the weight of each role for the cell by itself; `vote` (n, 13): what it adds to its group.

    Given probabilities both are these; given roles the vote is all for the role and `own` leaves it room to err.
    """

    own: Floats
    vote: Floats


def without_empty(probabilities: Floats) -> Floats:
    """Probabilities (n, 13) given that the cell is filled; rows of zeros become uniform."""
    p = np.maximum(probabilities.astype(np.float32), 1e-6)
    p[:, Role.EMPTY] = 0
    p /= p.sum(axis=1, keepdims=True)
    return p


def from_probabilities(p: Floats) -> Evidence:
    """Probabilities (n, 13) as evidence."""
    return Evidence(p, p)


def from_roles(roles: Bytes) -> Evidence:
    """Roles (n,) as evidence of odds TRUST against every other kind, and within the kind against every other role."""
    kind = KIND_OF_ROLE[roles]
    same = kind[:, None] == KIND_OF_ROLE[None, :]
    size = np.bincount(KIND_OF_ROLE[KIND_OF_ROLE >= 0])[KIND_OF_ROLE]
    own = np.where(same, 1 / TRUST, 1 / (TRUST * size)).astype(np.float32)
    own[:, Role.EMPTY] = 0
    vote = np.zeros_like(own)
    own[np.arange(len(roles)), roles] = 1
    vote[np.arange(len(roles)), roles] = 1
    return Evidence(own, vote)


def group_prior(vote: Floats, group: Ints) -> tuple[Floats, Ints]:
    """What the other members of each cell's group say: shares (m, k) that sum to 1, and how many they are (m,).

    `group` (m,) numbers the groups from 0.
    """
    total = np.stack([np.bincount(group, column) for column in vote.T], axis=1)
    others = total[group] - vote
    share = (others + PRIOR_WEIGHT) / (others.sum(axis=1, keepdims=True) + PRIOR_WEIGHT * vote.shape[1])
    return share.astype(np.float32), (np.bincount(group)[group] - 1).astype(np.int32)


def numbered(*keys: Ints) -> Ints:
    """One number per distinct combination of keys, each of shape (n,)."""
    result = np.zeros(len(keys[0]), np.int64)
    for key in keys:
        _, code = np.unique(key, return_inverse=True)
        _, result = np.unique(result * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    return result.astype(np.int32)
