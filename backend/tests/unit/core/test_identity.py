import pytest

from knowledgestack.core.errors import Forbidden
from knowledgestack.core.identity import (
    ROLE_PERMISSIONS,
    Actor,
    Permission,
    Person,
    Role,
    require,
    require_instance_owner,
)
from knowledgestack.core.ids import new_id

GRANTED = {
    Role.VIEWER: {Permission.ASK, Permission.READ_DOCUMENTS, Permission.READ_DATABASES},
    Role.MEMBER: {
        Permission.ASK,
        Permission.READ_DOCUMENTS,
        Permission.UPLOAD_DOCUMENTS,
        Permission.READ_DATABASES,
        Permission.RUN_SQL,
        Permission.VERIFY_QUERIES,
        Permission.DESCRIBE_TABLES,
    },
    Role.OWNER: set(Permission),
}


def actor(role: Role) -> Actor:
    return Actor(user_id=new_id(), session_id=new_id(), instance_owner=False, workspace_id=new_id(), role=role)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("permission", Permission)
def test_every_cell_of_the_permission_table(role: Role, permission: Permission) -> None:
    if permission in GRANTED[role]:
        require(actor(role), permission)
    else:
        with pytest.raises(Forbidden):
            require(actor(role), permission)


def test_every_role_is_in_the_table() -> None:
    assert set(ROLE_PERMISSIONS) == set(Role)


def test_only_the_instance_owner_passes() -> None:
    require_instance_owner(Person(user_id=new_id(), session_id=new_id(), instance_owner=True))
    with pytest.raises(Forbidden):
        require_instance_owner(actor(Role.OWNER))
