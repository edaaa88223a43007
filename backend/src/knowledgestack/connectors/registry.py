"""Which connectors exist. A new one is a file and a line in `CONNECTORS`."""

from knowledgestack.connectors.protocol import Connector
from knowledgestack.connectors.upload import UploadConnector, UploadedFiles


class UnknownProvider(Exception):
    """A source names a provider that no connector speaks for."""


CONNECTORS: tuple[type[UploadConnector], ...] = (UploadConnector,)


def create_connector(provider: str, files: UploadedFiles) -> Connector:
    """The connector of a provider; raise `UnknownProvider` where there is none."""
    for connector in CONNECTORS:
        if connector.provider == provider:
            return connector(files)
    raise UnknownProvider(provider)
